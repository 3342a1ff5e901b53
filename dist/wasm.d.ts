declare const code: import('./attn.js').WasmModule;
export default code;
