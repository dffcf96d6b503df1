import { isUtf8 } from 'node:buffer';
import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import type { WireResource } from '../../converters/wire.ts';
import type { Call } from '../../kernel/call/call.ts';
import { resultOf, type Outcome } from '../../kernel/call/outcome.ts';
import { stringOf } from '../../kernel/call/request-params.ts';
import { withCacheHint } from '../../runtime/lists/lists.ts';
import { calledUri } from '../../runtime/failures/protocol-failures.ts';
import type { PageExtension } from '../../runtime/runtime-facet.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { SkillDefinition, SkillFile, SkillFolder } from './skill-folder.ts';

const DIRECTORY_TYPE = 'inode/directory';

/** A skill as clients get it (SEP-2640: Skill Entries). */
interface SkillEntry {
  readonly uri: string;
  readonly frontmatter: SkillDefinition['frontmatter'];
  readonly resources: readonly Pick<SkillFile, 'uri' | 'digest'>[];
}

/** The skills of an application, and what clients ask about them. */
export class ServedSkills {
  readonly hasDirectories: boolean;
  /** The `SKILL.md` of each skill, for the list of resources. */
  readonly manifests: readonly WireResource[];
  /** With the digest of each file. */
  readonly entries: readonly SkillEntry[];
  readonly #byUri: ReadonlyMap<string, SkillEntry>;
  readonly #files: ReadonlyMap<string, SkillFile>;
  readonly #directories: ReadonlyMap<string, readonly WireResource[]>;

  constructor(folders: readonly SkillFolder[]) {
    const skills = folders.flatMap((folder) => folder.skills);
    const manifests = new Map(skills.map((skill) => [skill.uri, describeManifest(skill)]));
    this.hasDirectories = folders.some(({ directoryRead }) => directoryRead);
    this.manifests = Object.freeze([...manifests.values()]);
    this.#byUri = new Map(skills.map((skill) => [skill.uri, createEntry(skill)]));
    this.entries = Object.freeze([...this.#byUri.values()]);
    this.#files = new Map(skills.flatMap(({ files }) => files.map((file) => [file.uri, file] as const)));
    this.#directories = listDirectories(this.#files.values(), manifests);
  }

  list(call: Call, page: PageExtension): Outcome {
    return page('skills', this.entries, call);
  }

  /** @throws ProtocolError where no skill has the URI */
  get(call: Call): Outcome {
    const skill = this.#byUri.get(stringOf(call.params['uri'], 'uri'));
    if (skill === undefined) throw wrongUri(call, 'No skill is served at');
    return resultOf(withCacheHint({ skill }, call));
  }

  /** @throws ProtocolError where no directory has the URI */
  readDirectory(call: Call, page: PageExtension): Outcome {
    const children = this.#directories.get(stringOf(call.params['uri'], 'uri'));
    if (children === undefined) throw wrongUri(call, 'No directory is served at');
    return page('resources', children, call);
  }

  /** A file as a resource; undefined for every other URI. */
  read({ params }: Call): object | undefined {
    const file = this.#files.get(params['uri'] as string);
    if (file === undefined) return undefined;
    const { uri, mimeType, content } = file;
    const body = isText(content) ? { text: content.toString() } : { blob: content.toString('base64') };
    return { contents: [{ uri, mimeType, ...body }] };
  }
}

/** What is a text stays byte for byte what its digest was made of. */
function isText(content: Uint8Array): boolean {
  return isUtf8(content) && !content.includes(0);
}

function wrongUri(call: Call, sentence: string): ProtocolError {
  const uri = calledUri(call);
  return new ProtocolError(INVALID_PARAMS, `${sentence} ${uri}`, { uri });
}

function createEntry({ uri, frontmatter, files }: SkillDefinition): SkillEntry {
  const resources = files.map((file) => ({ uri: file.uri, digest: file.digest, size: file.content.length }));
  return deepFreeze({ uri, frontmatter, resources });
}

function describeManifest({ uri, frontmatter: { name, description }, files }: SkillDefinition): WireResource {
  const file = files.find((each) => each.uri === uri);
  return Object.freeze({ uri, name, description, mimeType: 'text/markdown', size: file?.content.length });
}

/** The children of each directory, by its URI (SEP-2640: Directory Resources). */
function listDirectories(
  files: Iterable<SkillFile>,
  manifests: ReadonlyMap<string, WireResource>,
): ReadonlyMap<string, readonly WireResource[]> {
  const directories = new Map<string, Map<string, WireResource>>();
  const add = (child: WireResource): void => {
    const uri = child.uri.slice(0, child.uri.lastIndexOf('/'));
    if (uri === 'skill:/') return;
    const known = directories.get(uri);
    if (known === undefined) {
      directories.set(uri, new Map([[child.uri, child]]));
      const name = decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
      add(Object.freeze({ uri, name, mimeType: DIRECTORY_TYPE }));
    } else known.set(child.uri, child);
  };
  for (const { uri, name, mimeType, content } of files)
    add(manifests.get(uri) ?? Object.freeze({ uri, name, mimeType, size: content.length }));
  return new Map(
    [...directories].map(([uri, children]) => [uri, Object.freeze([...children.values()])] as const),
  );
}
