import { fileURLToPath } from 'node:url';
import { OpenApiModule, type OpenApiOptions } from 'toolwright/openapi';

/** The part of GitHub's document that is here: all about issues and pull requests, and what else is asked for. */
const DOCUMENT = fileURLToPath(new URL('github.json', import.meta.url));

/** What people call it, where the document has another word. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'repos.get_content': 'Read a file, or show the contents of a folder',
  'git.create_ref': 'Create a branch or a tag',
  'git.get_tree': 'List all files and folders of a repository, recursively',
  'activity.get_thread': 'Show a notification',
  'agent_tasks.create_task_in_repo': 'Start a task of the Copilot agent: it may fix an issue by itself',
  'issues.create': 'Create an issue: report a bug, open a ticket',
  'issues.get': 'Show an issue: its details',
  'issues.update': 'Edit an issue: close it, open it again, change its title',
  'issues.list_for_repo': 'List the issues of a repository',
  'issues.list': 'List my issues: those assigned to me, in all repositories',
  'issues.create_comment': 'Comment on an issue: write a comment, or reply to one',
  'issues.list_comments': 'Read the comments of an issue',
  'issues.update_comment': 'Edit a comment of an issue',
  'issues.list_assignees': 'List people who can be assigned to issues',
  'issues.remove_label': 'Remove a label from an issue: take a tag off',
  'issues.create_milestone': 'Create a milestone: set a deadline for a release',
  'issues.reprioritize_sub_issue': 'Change the priority of a sub-issue: reorder the children of an issue',
  'issues.remove_assignees': 'Unassign people from an issue',
  'issues.list_labels_for_repo': 'List all labels which a repository has',
  'issues.update_label': 'Edit a label: rename it, change its color',
  'issues.list_sub_issues': 'List the sub-issues of an issue: its children',
  'issues.list_events_for_timeline': 'Show the timeline of an issue: its history',
  'pulls.create': 'Open a pull request',
  'pulls.get': 'Show a pull request: its details',
  'pulls.list': 'List open pull requests',
  'pulls.list_reviews': 'Read the reviews of a pull request',
  'pulls.create_review_comment': 'Comment on a line of a pull request: ask a question about its code',
  'gists.create': 'Create a gist: publish a snippet of code',
  'activity.star_repo_for_authenticated_user': 'Star a repository: bookmark it',
  'search.code': 'Search code: find where a function is used',
};

/** Other words for all that is about one thing. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  'issues.*': ['ticket'],
  'pulls.*': ['PR', 'merge request'],
};

/** The module of GitHub's API at an address. */
export function createApi(
  baseUrl: string,
  further: Partial<OpenApiOptions> = {},
): ReturnType<typeof OpenApiModule.forRoot> {
  return OpenApiModule.forRoot({
    document: DOCUMENT,
    baseUrl,
    // They are found first, so their number costs a model nothing
    maxActions: Number.POSITIVE_INFINITY,
    // GitHub's document names no scheme of its own: the token goes with every request
    credentials: { token: { type: 'bearer', value: process.env['GITHUB_TOKEN'] ?? 'token-of-nobody' } },
    actions: {
      ...Object.fromEntries(
        Object.entries(DESCRIPTIONS).map(([name, description]) => [name, { description }]),
      ),
      ...Object.fromEntries(Object.entries(TAGS).map(([pattern, tags]) => [pattern, { tags }])),
    },
    ...further,
  });
}
