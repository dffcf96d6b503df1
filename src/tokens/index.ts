export { countActionTokens, type ActionTokens } from './action-tokens.ts';
export { countToolTokens, type SurfaceTokens, type TokenParts, type ToolTokens } from './tool-tokens.ts';
export { loadTokenizer, type CountTokens } from './tokenizer.ts';
