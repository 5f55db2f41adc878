def fill(a, n):
    total = 0
    for i in range(n):
        if a[i] < 0 and i:
            continue
        total += a[i]
    else:
        total = -total
    return total


def search(rows, limit):
    for row, (left, *others) in enumerate(rows):
        while left < limit and others:
            left = others.pop()
            if not left:
                break
        else:
            return row
    while True:
        limit -= 1
        if limit < 0:
            break
    return limit


async def drain(queue):
    async for item in queue:
        await item
