/**
 * class-validator keeps every class that it knows for ever, and walks all of them for each object that it checks. Suites
 * of one process would slow each other down, and stay in the memory, so the classes of a suite are forgotten after it.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const validators = require('class-validator').getMetadataStorage();
const transforms = require('class-transformer/cjs/storage').defaultMetadataStorage;

/** Where class-transformer keeps what it knows of a class. */
const TRANSFORMS = ['_typeMetadatas', '_transformMetadatas', '_exposeMetadatas', '_excludeMetadatas'];

const seen = new WeakSet();
const ofSuite = new Set();

const add = validators.addValidationMetadata;
validators.addValidationMetadata = function addValidationMetadata(metadata) {
  const { target } = metadata;
  if (typeof target === 'function' && !seen.has(target)) {
    seen.add(target);
    if (isCalledByTests()) ofSuite.add(target);
  }
  add.call(this, metadata);
};

/**
 * Whether a module that belongs to a suite is on the stack. A source that it imports is called by nobody, but awaited, or
 * by the loader where it is required.
 */
function isCalledByTests() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  Error.prepareStackTrace = (_, places) => {
    const files = places.filter((place) => !place.isAsync()).map((place) => place.getFileName() ?? '');
    const caller = files.find(
      (file) => file.includes('?suite=') || file.startsWith('node:internal/modules/'),
    );
    return caller?.includes('?suite=') === true;
  };
  const { stack } = new Error('Who calls?');
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  // Where something keeps the stack from being read, it is a text
  return stack === true;
}

export function forgetClasses() {
  for (const target of ofSuite) {
    validators.validationMetadatas.delete(target);
    for (const name of TRANSFORMS) transforms[name].delete(target);
    transforms._ancestorsMap.delete(target);
  }
  ofSuite.clear();
}
