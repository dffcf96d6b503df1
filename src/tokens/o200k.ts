// Built into a file of its own, with all that it imports and the vocabulary compressed: `.ci/build-vocabulary.mjs`.
export { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
export { O200K_TOKEN_SPLIT_REGEX as PIECES } from 'gpt-tokenizer/encodingParams/constants';
export { default as VOCABULARY } from 'gpt-tokenizer/bpeRanks/o200k_base';
