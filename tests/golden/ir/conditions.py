def choose(a, b, c):
    if a is None:
        return b
    elif not (a and (b or c)):
        x = 1
    else:
        x = 2
    assert x, "never"
    y = a and b or not c
    z = 0 <= a < b
    w = a if b else c
    if 0 <= a < b:
        w = x
    return y, z, w
