try:
    import cupynumeric as np
except ImportError:
    import numpy as np


def load(path, retry):
    data = None
    for attempt in range(retry):
        try:
            data = np.load(path)
            data = data + 1
            if data is None:
                continue
            break
        except (OSError, ValueError) as error:
            log(error)
        except KeyError:
            raise RuntimeError from None
        else:
            data = 2
        finally:
            close(path)
    return data


def first(items):
    with suppress(IndexError):
        return items[0]
    return None


def locked(lock, path):
    with lock, open(path) as (head, tail):
        return head
