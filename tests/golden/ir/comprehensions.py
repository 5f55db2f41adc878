def tables(rows, n):
    squares = [i * i for i in range(n) if i % 2 if i]
    flat = {x for row in rows for x in row}
    named = {k: v for k, v in rows}
    total = sum(x for x in flat)
    return squares, named, total, [[j for j in range(i)] for i in range(n)]


nested = [n for n in range(3)]
