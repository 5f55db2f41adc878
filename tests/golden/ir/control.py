def leave(a, b):
    if a:
        return 1
    if b:
        raise ValueError(b)
    c = a if b else 0
    return c
    unreachable(c)


def spin(a):
    while 1:
        try:
            a = next(a)
        finally:
            if a:
                break
