import {
  filledText,
  listOf,
  objectOf,
  required,
  trueOrFalse,
  type OptionRule,
} from '../../shared/option-rules.ts';

/** What is published of a server before anybody connects: see the guide Publishing. */
export interface ServerCardOptions {
  /** What the server does, in one line of at most 100 characters. */
  readonly description: string;
  /**
   * The reversed name of a domain of yours, a slash and a name: `com.example/weather`. Default: the `name` of the
   * application, which has to have this form then.
   */
  readonly name?: string;
  /** A page for people, as an https URL. Default: none. */
  readonly websiteUrl?: string;
  /** Where the source is. Default: none is named. */
  readonly repository?: ServerCardRepository;
  /** Where clients reach the server. Default: `auth.resource`; where there is none, no place is named. */
  readonly remotes?: readonly ServerCardRemote[];
}

/** The repository of a server. */
export interface ServerCardRepository {
  /** An https URL. */
  readonly url: string;
  /** Who hosts it, such as `github` or `gitlab`. */
  readonly source: string;
  /** The folder of the server in it. Default: the whole repository. */
  readonly subfolder?: string;
}

/** An address of a server that speaks Streamable HTTP. */
export interface ServerCardRemote {
  /** An https URL; `{tenant}` in it is asked of the user who connects. */
  readonly url: string;
  /** Headers that clients have to send, such as one for a key. Default: none. */
  readonly headers?: readonly ServerCardHeader[];
}

/** A header that a client asks its user for. A card has no value for it, because everybody can read it. */
export interface ServerCardHeader {
  /** The name of the header, such as `X-API-Key`. */
  readonly name: string;
  /** What the user should enter. */
  readonly description?: string;
  /** Default false. */
  readonly isRequired?: boolean;
  /** Whether clients hide the value. Default false. */
  readonly isSecret?: boolean;
}

/** What the texts have to be is checked with the name and version of the application. */
export const cardRule: OptionRule = objectOf<ServerCardOptions>({
  description: required(filledText),
  name: filledText,
  websiteUrl: filledText,
  repository: objectOf<ServerCardRepository>({
    url: required(filledText),
    source: required(filledText),
    subfolder: filledText,
  }),
  remotes: listOf(
    objectOf<ServerCardRemote>({
      url: required(filledText),
      headers: listOf(
        objectOf<ServerCardHeader>({
          name: required(filledText),
          description: filledText,
          isRequired: trueOrFalse,
          isSecret: trueOrFalse,
        }),
      ),
    }),
  ),
});
