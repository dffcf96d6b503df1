import { createSchemaValidator } from '../../../formats/index.ts';
import { compileCriteria } from './compile-criteria.ts';
import { PatternCache } from './pattern-cache.ts';

/**
 * Checks validation criteria in every part.
 * @param path - the pointer to the criteria, where they are part of something larger
 * @throws InvalidCriteriaError for the first thing that is malformed, wherever it is
 */
export function checkCriteria(criteria: unknown, path = ''): void {
  compileCriteria(criteria, path, { patterns: new PatternCache(), schemas: createSchemaValidator() });
}
