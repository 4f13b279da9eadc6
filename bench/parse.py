"""The same parsing in PyTorch, for bench/parse.js: the forward pass on the model's own weights, and CKY as
Python programs have it, vectorised with NumPy over the spans of a length.

The first line says where the weights are; each further line is a list of batches to parse, answered with the
seconds for the forward passes and for the trees, and with the trees' spans.
"""

import json
import math
import struct
import sys
import time

import numpy as np
import torch
from torch.nn import functional as F

config = json.loads(sys.stdin.readline())
torch.set_num_threads(config["threads"])
torch.set_grad_enabled(False)
width, heads, layers = config["hidden_size"], config["num_attention_heads"], config["num_hidden_layers"]


def read_weights(path):
    data = open(path, "rb").read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    kinds = {"F16": np.float16, "F32": np.float32}
    weights = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        array = np.frombuffer(data[8 + length + begin : 8 + length + end], kinds[entry["dtype"]])
        weights[name] = torch.from_numpy(array.astype(np.float32).reshape(entry["shape"]))
    return weights


p = read_weights(config["weights"])


def dense(x, name):
    return F.linear(x, p[f"{name}.weight"], p[f"{name}.bias"])


def norm(x, name):
    return F.layer_norm(x, (width,), p[f"{name}.LayerNorm.weight"], p[f"{name}.LayerNorm.bias"], 1e-12)


def encode(ids, seen):
    rows, pieces = ids.shape
    x = F.embedding(ids, p["embeddings.word_embeddings.weight"])
    x = x + p["embeddings.position_embeddings.weight"][:pieces] + p["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "embeddings")
    hiding = (1 - seen[:, None, None, :]) * -1e9
    for layer in range(layers):
        place = f"encoder.layer.{layer}"
        q, k, v = (
            dense(x, f"{place}.attention.self.{kind}").view(rows, pieces, heads, -1).transpose(1, 2)
            for kind in ("query", "key", "value")
        )
        shares = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(width / heads) + hiding, -1)
        context = (shares @ v).transpose(1, 2).reshape(rows, pieces, width)
        x = norm(dense(context, f"{place}.attention.output.dense") + x, f"{place}.attention.output")
        wide = F.gelu(dense(x, f"{place}.intermediate.dense"))
        x = norm(dense(wide, f"{place}.output.dense") + x, f"{place}.output")
    return x


def boundary(words, side):
    activated = F.leaky_relu(dense(words, f"scorer.{side}"), config["slope"])
    return torch.cat([activated, torch.ones(*activated.shape[:-1], 1)], -1)


def decode(scores):
    """The best tree's spans, half-open, by CKY over one diagonal after the other."""
    size = len(scores)
    best = np.full((size + 1, size + 1), -np.inf, np.float32)
    split = np.zeros((size + 1, size + 1), np.int32)
    index = np.arange(size)
    best[index, index + 1] = scores[index, index]
    for length in range(2, size + 1):
        begins = np.arange(size - length + 1)
        cuts = begins[:, None] + np.arange(1, length)[None, :]
        values = best[begins[:, None], cuts] + best[cuts, (begins + length)[:, None]]
        at = values.argmax(1)
        split[begins, begins + length] = cuts[begins, at]
        best[begins, begins + length] = values[begins, at] + scores[begins, begins + length - 1]
    spans, todo = [], [(0, size)]
    while todo:
        begin, end = todo.pop()
        if end - begin < 2:
            continue
        spans.append((begin, end))
        cut = int(split[begin, end])
        todo += [(cut, end), (begin, cut)]
    return spans


def parse(batch):
    ids, seen, places = (torch.tensor(batch[name]) for name in ("ids", "seen", "words"))
    started = time.perf_counter()
    words = encode(ids, seen).reshape(-1, width)[places]
    scores = boundary(words, "left") @ p["scorer.matrix"] @ boundary(words, "right").transpose(1, 2)
    scores = scores.numpy()
    encoded = time.perf_counter()
    trees = [decode(scores[row, :size, :size]) for row, size in enumerate(batch["lengths"])]
    return encoded - started, time.perf_counter() - encoded, trees


for line in sys.stdin:
    results = [parse(batch) for batch in json.loads(line)]
    answer = {
        "forward": sum(forward for forward, _, _ in results),
        "trees": sum(trees for _, trees, _ in results),
        "spans": [spans for _, _, trees in results for spans in trees],
    }
    print(json.dumps(answer), flush=True)
