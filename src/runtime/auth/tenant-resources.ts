import { LRUCache } from 'lru-cache';

const PLACE = '{tenant}';
/** A name that means the same in every spelling of a URL. */
const NAME = '[\\w~-][\\w.~-]{0,63}';
/** Requests name tenants, known and unknown ones. */
const MOST_TENANTS = 1000;

/** The resources of an endpoint with a path for each tenant: each has metadata and tokens of its own. */
export class TenantResources<Resource extends object> {
  /** As it is configured: `/t/{tenant}/mcp`. */
  readonly path: string;
  readonly #pattern: RegExp;
  readonly #make: (tenant: string) => Resource;
  readonly #known = new LRUCache<string, Resource>({ max: MOST_TENANTS });

  private constructor(path: string, make: (tenant: string) => Resource) {
    const [before = '', after = ''] = path
      .split(PLACE)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    this.path = path;
    this.#pattern = new RegExp(`^${before}(${NAME})${after}/?$`);
    this.#make = make;
  }

  /** Undefined for the URL of an endpoint that all tenants share. */
  static of<Resource extends object>(
    url: string | undefined,
    make: (tenant: string, url: string) => Resource,
  ): TenantResources<Resource> | undefined {
    if (url?.includes(PLACE) !== true) return undefined;
    const path = url.replace(/^[a-z]+:\/\/[^/]+/, '');
    return new TenantResources(path, (tenant) =>
      make(
        tenant,
        url.replace(PLACE, () => tenant),
      ),
    );
  }

  /** What is at a path; undefined where a path has another form. */
  at(path: string): Resource | undefined {
    const tenant = this.#pattern.exec(path)?.[1];
    return tenant === undefined ? undefined : this.of(tenant);
  }

  of(tenant: string): Resource {
    const known = this.#known.get(tenant);
    if (known !== undefined) return known;
    const made = this.#make(tenant);
    this.#known.set(tenant, made);
    return made;
  }
}
