import { SURFACE_NAMES } from '../compile/surfaces/surface.ts';
import { withoutSlash } from '../metadata/token-verifier.ts';

const PLACE = '{tenant}';
/** The end of the URL of a surface. */
const SURFACE = new RegExp(`/(${SURFACE_NAMES.join('|')})/?$`);
const NAME = '([\\w~-][\\w.~-]{0,63})';

/** The resource that tokens are for, or one for each tenant. */
export class Resources {
  readonly #given: string;
  readonly #pattern: RegExp | undefined;

  constructor(given: string) {
    this.#given = given;
    if (!given.includes(PLACE)) return;
    const [before = '', after = ''] = given
      .split(PLACE)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    this.#pattern = new RegExp(`^${before}${NAME}${after}$`);
  }

  /**
   * In the spelling of the option; undefined for another one. Without tenants, none that is named is this one. The URL of
   * a surface is a way to the same resource.
   */
  find(named: string | null | undefined): string | undefined {
    return this.#findExactly(named) ?? this.#findExactly(named?.replace(SURFACE, ''));
  }

  #findExactly(named: string | null | undefined): string | undefined {
    if (this.#pattern === undefined) {
      return named === null || named === undefined || withoutSlash(named) === this.#given
        ? this.#given
        : undefined;
    }
    const url = withoutSlash(named ?? '');
    return this.#pattern.test(url) ? url : undefined;
  }

  /** The tenant whose people use a resource; undefined where all share it. */
  tenantOf(resource: string): string | undefined {
    return this.#pattern?.exec(resource)?.[1];
  }
}
