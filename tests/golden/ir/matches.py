def area(shape):
    match shape:
        case [1, x, *others]:
            return x
        case {"k": v, **more} if v > 1:
            y = v
        case Point.ORIGIN | "s" | -1:
            y = 2
        case Circle(radius=r) as circle:
            y = r
        case (n):
            y = n
    return y
