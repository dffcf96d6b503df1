/** The reader of YAML, which the command line and the module of APIs share: a file that is loaded when one of them needs it. */
export { parse, stringify } from 'yaml';
