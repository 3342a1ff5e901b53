// A formula of math.js as MathML.

import { createElement } from 'preact';

const Node = ({ node }) =>
    createElement(
        node.tag,
        node.role ? { class: node.role } : null,
        node.children.map((child) => (typeof child === 'string' ? child : <Node node={child} />)),
    );

export const Math = ({ parts, block = true }) => (
    <math display={block ? 'block' : 'inline'}>
        {parts.map((node) => (
            <Node node={node} />
        ))}
    </math>
);
