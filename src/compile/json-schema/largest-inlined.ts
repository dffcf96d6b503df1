/**
 * About how many characters a schema may have before types that it uses more than once become definitions.
 * Below that they are written wherever they are used: clients read that more easily.
 */
export const LARGEST_INLINED = 32_768;
