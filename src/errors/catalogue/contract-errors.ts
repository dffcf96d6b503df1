export const contractErrors = {
  TW_COMPILE_SCHEMA_UNSUPPORTED: 'A schema cannot give JSON Schema 2020-12.',
  TW_COMPILE_SCHEMA_ROOT: 'The root of an input schema is no object.',
  TW_COMPILE_SCHEMA_INVALID: 'A JSON Schema is not valid.',
} as const;
