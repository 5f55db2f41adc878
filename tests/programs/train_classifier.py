# verdict: NOT RECOMMENDED
# gates: 4 fail
"""A classifier trained in mini-batches; NumPy only prepares the data."""

import numpy as np
import torch


def prepare(path):
    data = np.load(path)
    data = (data - data.mean(axis=0)) / 255.0
    return data


class Net(torch.nn.Module):
    def __init__(self, inputs, classes):
        super().__init__()
        self.hidden = torch.nn.Linear(inputs, 128)
        self.out = torch.nn.Linear(128, classes)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


def train(path, labels, epochs, batch):
    data = prepare(path)
    net = Net(data.shape[1], 10)
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)
    count = data.shape[0]
    for epoch in range(epochs):
        for start in range(0, count, batch):
            x = torch.from_numpy(data[start : start + batch])
            y = torch.from_numpy(labels[start : start + batch])
            optimiser.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(x), y)
            loss.backward()
            optimiser.step()
    return net
