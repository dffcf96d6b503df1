export const modelErrors = {
  TW_MODEL_NAME: 'The name of a group, tool, prompt, argument or resource is empty or no string.',
  TW_MODEL_CYCLE: 'A group was added to itself or to one of its own descendants.',
  TW_MODEL_SEALED: 'A part of a model was changed after the model had been compiled.',
  TW_MODEL_CONVERTER: 'A converter was used in a direction that its class does not write.',
  TW_MODEL_INCOMPLETE: 'A part of a model lacks a member that its wire form requires.',
} as const;
