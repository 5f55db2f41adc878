import numpy as np


def branch(flag, n):
    if flag:
        x = np.zeros(n)
    else:
        x = [0] * n
    return x


def loops(n):
    total = 0.0
    for i in range(n):
        if i == 3:
            continue
        total += i
    else:
        total = -total
    while total > 1:
        total /= 2
        if not total:
            break
    return total


def guarded(path):
    try:
        data = np.load(path)
    except OSError as error:
        data = None
    finally:
        print(path)
    with open(path) as file:
        text = file.read()
    return data, text


def matched(command):
    match command:
        case ["go", where]:
            return where
        case {"stop": True, **rest}:
            return rest
        case _:
            return None
