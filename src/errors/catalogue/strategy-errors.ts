export const strategyErrors = {
  TW_COMPILE_FIELD_CONFLICT: 'Two actions of a tool declare one field with truly different types.',
  TW_COMPILE_FIELD_IS_DISCRIMINATOR: 'A field has the name of the argument that says which action to run.',
  TW_COMPILE_SCHEMA_REFERENCE: 'A schema refers to something that it does not contain.',
} as const;
