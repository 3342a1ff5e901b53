export * from './attn.cjs';
