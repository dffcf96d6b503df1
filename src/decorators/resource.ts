import type { ResourceOptions } from '../metadata/options.ts';
import { appendRecord } from '../metadata/record-store.ts';
import { copyOptions } from './copy-options.ts';
import { methodDecorator, refuseFurther } from './decorator-target.ts';

/**
 * Makes a method read a resource, or with an RFC 6570 template all resources whose URIs fit it.
 * The name is the method's name by default. A template's variables arrive as the class of the parameter that
 * nothing else explains, or as a plain object with `@Input()`.
 *
 * @example
 * @Resource('pages://{slug}', { mimeType: 'text/markdown', list: 'pages' })
 * page(@Input() variables: Record<string, string>) {}
 */
export function Resource(uri: string, options: ResourceOptions = {}, ...further: never[]): MethodDecorator {
  refuseFurther(
    '@Resource',
    2,
    further,
    "@Resource('pages://{slug}', { name: 'page', description: 'A page' })",
  );
  const copy = copyOptions(options);
  return methodDecorator('@Resource', (target, member, isStatic) => {
    appendRecord(target, { kind: 'resource', member, isStatic, uri, options: copy });
  });
}
