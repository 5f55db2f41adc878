import numpy as np


def tabs(n):
	a = np.ones(n)
	for i in range(n):
		a[i] =	2.0 * a[i]
	return a


def wide(n):
    流量 = np.ones(n)
    for i in range(n): 名 = "🌊 é é"; 流量[i] = 2.0 * 流量[i]
    return 流量
