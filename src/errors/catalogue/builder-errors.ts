export const builderErrors = {
  TW_BUILDER_FROZEN: 'A builder was changed after its tool had been built.',
  TW_BUILDER_MODE_MIXED: 'A builder was given actions of its own and groups; a tool has either.',
  TW_BUILDER_NAME_INVALID: 'The name of a tool, group, action or discriminator is empty or contains a dot.',
  TW_BUILDER_ACTION_DUPLICATE: 'Two actions of a builder have the same key.',
  TW_BUILDER_ACTION_INVALID: 'The definition of an action cannot work.',
  TW_BUILDER_EMPTY: 'A builder was built without any action.',
} as const;
