export const containerErrors = {
  TW_CONTAINER_PROVIDER_FAILED: 'The constructor or factory of a provider failed.',
  TW_CONTAINER_ASYNC_TRANSIENT:
    'A transient factory gave a promise; a transient is made while it is injected, which cannot wait.',
  TW_CONTAINER_ASYNC_CONSTRUCTOR: 'A constructor returned a promise instead of its instance.',
  TW_CONTAINER_PER_CALL: 'A provider that exists once per call was asked for outside of a call.',
  TW_CONTAINER_UNKNOWN_PROVIDER: 'Something was asked for that no module of the application provides.',
  TW_CONTAINER_OUT_OF_SCOPE:
    'A call scope was asked for something after its end or that it was not opened for.',
  TW_CONTAINER_HOOK_FAILED: 'A lifecycle hook failed.',
  TW_CONTAINER_DISPOSE_FAILED: 'An instance could not be disposed.',
} as const;
