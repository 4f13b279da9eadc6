"""The same training step in PyTorch, for bench/train.js: BERT, the span scorer, backward, clipping, Adam.

Reads one JSON object a line (a batch and the gradient of its scores), answers with the milliseconds
that the step took. Trees and costs are not computed here: the gradient comes ready.
"""

import json
import math
import resource
import sys
import time

import torch
from torch.nn import functional as F

config = json.loads(sys.stdin.readline())
torch.set_num_threads(config["threads"])
torch.manual_seed(1)
width, heads, layers = config["hidden_size"], config["num_attention_heads"], config["num_hidden_layers"]
p = {}


def parameter(name, *shape):
    p[name] = (torch.randn(*shape) * 0.02).requires_grad_()


parameter("words", config["vocab_size"], width)
parameter("positions", config["max_position_embeddings"], width)
parameter("types", config["type_vocab_size"], width)
for place in ["embeddings"] + [f"{layer}.{part}" for layer in range(layers) for part in ("attention", "output")]:
    p[f"{place}.gamma"] = torch.ones(width).requires_grad_()
    p[f"{place}.beta"] = torch.zeros(width).requires_grad_()
for layer in range(layers):
    wide = config["intermediate_size"]
    for name, out, size in [("q", width, width), ("k", width, width), ("v", width, width), ("o", width, width), ("up", wide, width), ("down", width, wide)]:
        parameter(f"{layer}.{name}.weight", out, size)
        parameter(f"{layer}.{name}.bias", out)
for side in ("left", "right"):
    parameter(f"{side}.weight", 256, width)
    parameter(f"{side}.bias", 256)
parameter("matrix", 257, 257)
optimiser = torch.optim.Adam(p.values(), lr=1e-5, betas=(0.9, 0.999), eps=1e-12)


def dense(x, name):
    return F.linear(x, p[f"{name}.weight"], p[f"{name}.bias"])


def norm(x, name):
    return F.layer_norm(x, (width,), p[f"{name}.gamma"], p[f"{name}.beta"], 1e-12)


def encode(ids, seen):
    rows, pieces = ids.shape
    x = F.embedding(ids, p["words"]) + p["positions"][:pieces] + p["types"][0]
    x = F.dropout(norm(x, "embeddings"), 0.1)
    hiding = (1 - seen[:, None, None, :]) * -1e9
    for layer in range(layers):
        q, k, v = (dense(x, f"{layer}.{kind}").view(rows, pieces, heads, -1).transpose(1, 2) for kind in "qkv")
        shares = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(width / heads) + hiding, -1)
        context = (F.dropout(shares, 0.1) @ v).transpose(1, 2).reshape(rows, pieces, width)
        x = norm(F.dropout(dense(context, f"{layer}.o"), 0.1) + x, f"{layer}.attention")
        wide = F.gelu(dense(x, f"{layer}.up"))
        x = norm(F.dropout(dense(wide, f"{layer}.down"), 0.1) + x, f"{layer}.output")
    return x


def boundary(words, side):
    activated = F.dropout(F.leaky_relu(dense(words, side), 0.1), 0.33)
    return torch.cat([activated, torch.ones(*activated.shape[:-1], 1)], -1)


for line in sys.stdin:
    batch = json.loads(line)
    ids = torch.tensor(batch["ids"])
    seen = torch.tensor(batch["seen"])
    places = torch.tensor(batch["words"])
    gradient = torch.tensor(batch["gradient"])
    started = time.perf_counter()
    words = encode(ids, seen).reshape(-1, width)[places]
    scores = boundary(words, "left") @ p["matrix"] @ boundary(words, "right").transpose(1, 2)
    optimiser.zero_grad()
    scores.backward(gradient)
    torch.nn.utils.clip_grad_norm_(p.values(), 1.0)
    optimiser.step()
    elapsed = 1000 * (time.perf_counter() - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"ms": elapsed, "peak": peak}), flush=True)
