declare const code: import('./attn.cjs').WasmModule;
export = code;
