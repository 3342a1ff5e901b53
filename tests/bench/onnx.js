// An ONNX model of one Attention node (opset 23), written as protobuf: what both builds of
// onnxruntime are asked to run.

const FLOAT = 1, INT = 2;

function varint(n) {
    const bytes = [];
    for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) + 128);
    return [...bytes, n];
}

const number = (field, n) => [...varint(field * 8), ...varint(n)];

const bytes = (field, content) => {
    const inside = typeof content === 'string' ? [...new TextEncoder().encode(content)] : content;
    return [...varint(field * 8 + 2), ...varint(inside.length), ...inside];
};

/** ValueInfoProto: a name, and a float tensor of a shape. */
const tensor = (name, shape) => {
    const dims = shape.flatMap((n) => bytes(1, number(1, n)));
    return [...bytes(1, name), ...bytes(2, bytes(1, [...number(1, FLOAT), ...bytes(2, dims)]))];
};

const NAMES = ['q', 'k', 'v'];

/** ModelProto: q, k and v of one shape (B, H, T, D) to y. */
export function attentionModel(shape, causal) {
    const isCausal = [...bytes(1, 'is_causal'), ...number(3, causal ? 1 : 0), ...number(20, INT)];
    const node = [
        ...NAMES.flatMap((name) => bytes(1, name)),
        ...bytes(2, 'y'), ...bytes(4, 'Attention'), ...bytes(5, isCausal),
    ];
    const graph = [
        ...bytes(1, node), ...bytes(2, 'attention'),
        ...NAMES.flatMap((name) => bytes(11, tensor(name, shape))),
        ...bytes(12, tensor('y', shape)),
    ];
    const opset = [...bytes(1, ''), ...number(2, 23)];
    return Uint8Array.from([...number(1, 10), ...bytes(7, graph), ...bytes(8, opset)]);
}
