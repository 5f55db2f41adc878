def assign(a, b, i):
    x = y = a
    (x, [y, *z]), w = b
    x, y = y, x
    a.value = x
    a.value += 1
    a[i, 1:-1, ::2, None, ...] = y
    a[(i, 0)] *= 2
    a[i][0] @= b
    (x) = (y + 1) * 2
    x <<= 1
    del a[i], a.value, (y, z)
    if (n := len(b)) > 1:
        x = n
    a[:]
    return x, n
