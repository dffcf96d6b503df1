export const toolErrors = {
  INVALID_TOOL_ID: 'A text is no id of a tool.',
  NAME_REQUIRED: 'A tool has no name.',
  NAME_TOO_LONG: 'The name of a tool has more than 128 characters.',
  NAME_INVALID_CHARS:
    'The name of a tool has characters other than letters of ASCII, digits, "_", "." and "-".',
  INPUT_SCHEMA_REQUIRED: 'A tool has no input schema.',
  SERVER_NAME_REQUIRED: 'A backend of kind "mcp" does not name its server.',
  PROVIDER_REQUIRED: 'A backend of kind "provider" says nothing of its provider.',
  PROVIDER_ID_REQUIRED: 'A backend of kind "provider" has no providerId.',
  TOOL_ID_REQUIRED: 'A backend of kind "provider" has no toolId.',
  LOCAL_NAME_REQUIRED: 'A backend of kind "local" has no name.',
  UNKNOWN_BACKEND_KIND: 'A backend is of a kind that does not exist.',
} as const;
