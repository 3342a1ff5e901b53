export * from './attn.js';
