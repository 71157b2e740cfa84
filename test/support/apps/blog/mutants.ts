/**
 * Broken versions of the reference blog: the name of each, and the title of the check that must
 * fail. Every check of the blog occurs at least once, so no check can be empty.
 */
export const blogMutants = {
  'register-200': 'registration answers 201 with a token and the user, and nothing else',
  'user-extra': 'registration answers 201 with a token and the user, and nothing else',
  'name-optional': 'registration names exactly the missing and invalid fields',
  'role-passes': 'registration names exactly the missing and invalid fields',
  'name-of-one': 'a name has at least two characters and a password eight',
  'password-of-six': 'a name has at least two characters and a password eight',
  'any-email': 'registration rejects a malformed e-mail',
  'email-case-matters': 'a duplicate e-mail answers 409 "email already registered" in any case',
  'taken-is-400': 'a duplicate e-mail answers 409 "email already registered" in any case',
  'taken-in-other-words': 'a duplicate e-mail answers 409 "email already registered" in any case',
  'register-overwrites': 'a duplicate registration does not change the first user',
  'register-race': 'exactly one of fifty concurrent registrations of one e-mail succeeds',
  'password-72-bytes': 'every character of a password counts, or the password is rejected',
  'password-trimmed': 'every character of a password counts, or the password is rejected',

  'login-201': 'login answers 200 with a token and the user who registered',
  'login-case-matters': 'login accepts an e-mail in any case',
  'unknown-told': 'an unknown e-mail and a wrong password get the same response',
  'password-any-case': 'a password that differs slightly is rejected',
  'email-like': 'login compares an e-mail literally, not as a pattern',
  'login-ignores-unknown': 'login names every missing, invalid or unknown field',
  'auth-takes-forms': 'a body that is no JSON object neither registers nor logs in',

  'posts-delete-open':
    'every protected route without a credential answers 401 "Authorization header required"',
  'comments-read-open':
    'every protected route without a credential answers 401 "Authorization header required"',
  'validates-before-401':
    'every protected route without a credential answers 401 "Authorization header required"',
  'bad-token-told': 'every protected route with an invalid token answers 401 "Invalid token"',
  'no-challenge':
    'every 401 names the scheme Bearer in WWW-Authenticate, and a bad token as invalid_token',
  'challenge-without-error':
    'every 401 names the scheme Bearer in WWW-Authenticate, and a bad token as invalid_token',
  'comments-list-403': 'every protected route accepts a valid token',
  'posts-closed': 'reading posts and tags needs no credential',
  'bearer-any-case':
    'an Authorization header other than "Bearer <token>" answers 401 "Invalid authorization format"',
  'bearer-spaces':
    'an Authorization header other than "Bearer <token>" answers 401 "Invalid authorization format"',
  'bearer-more':
    'an Authorization header other than "Bearer <token>" answers 401 "Invalid authorization format"',
  'empty-header-500': 'an empty Authorization header answers 401',
  'token-in-query': 'a token counts only in the Authorization header',
  'token-in-cookie': 'a token counts only in the Authorization header',

  'me-tells-hash': 'the caller reads id, name, e-mail, role and creation time of the account',
  'logout-keeps': 'logging out ends its token, and no other token of the user',
  'logout-ends-all': 'logging out ends its token, and no other token of the user',
  'logout-forgets': 'tokens of one user that log out at once all end',
  'logout-all-but-one': 'logging out everywhere ends every token of the user, and of no other user',
  'tokens-outlive-password':
    'changing the password ends every token of the user but the one that changed it',
  'password-ends-caller':
    'changing the password ends every token of the user but the one that changed it',
  'current-ignored':
    'changing the password needs the current one, and a next one of eight characters',
  'next-of-six': 'changing the password needs the current one, and a next one of eight characters',
  'removal-claimed': 'a deleted user is gone, and a new user with the same e-mail is another user',
  'removal-unasked': 'deleting the account needs the password',
  'author-removed': 'a user to whom posts refer is not deleted: 409',
  'password-as-typed': 'a password is the same in composed and decomposed letters',

  'token-seven-days': 'a token is an HS256 JWT with user_id, email, iat and an exp 24 hours later',
  'token-no-email': 'a token is an HS256 JWT with user_id, email, iat and an exp 24 hours later',
  'token-hs512': 'a token is an HS256 JWT with user_id, email, iat and an exp 24 hours later',
  'garbage-500': 'a malformed token answers "Invalid token"',
  'alg-none': 'a token without a signature is rejected, whatever algorithm it names',
  'signature-ignored': 'a modified token is rejected',
  'secret-literal': 'a token signed with another secret or a key pair is rejected',
  'one-session': 'a token identifies its own user, and a later token does not end it',

  'refusal-echoes': 'no response contains a password or its hash',
  'author-with-email':
    'no public response contains an e-mail address; an author is an id and a name',
  'users-listed': 'users can be neither listed nor read nor changed',

  'content-null': 'a post with only a title is an empty draft of its caller',
  'views-from-one': 'a post with only a title is an empty draft of its caller',
  'author-from-body': 'the author of a post is its caller, even if the body names another',
  'views-from-body':
    'views and comments in the body of a post are ignored and do not count as a change',
  'read-back-refused': 'a post can be sent back as it was read, also by another user as a copy',
  'empty-title-passes': 'an empty title is rejected in a create and in an update',
  'content-64-kb': 'a content of 100 kB reads back complete from the post and the list',
  'title-not-sorted':
    'title and author_id sort the posts, and a cursor continues with equal titles',
  'views-unfiltered': 'views filters the posts by value and by range',
  'page-as-text': 'posts: a list contains its page and page_size',

  'anyone-updates-posts':
    'posts: an update or delete by another user answers 403 and changes nothing',
  'anyone-deletes-posts':
    'posts: an update or delete by another user answers 403 and changes nothing',
  '403-before-404': 'posts: an absent record answers 404 to every caller, not 403',
  'gives-away': 'posts: the author in a body does not change the owner of a record',
  'anyone-updates-comments':
    'comments: an update or delete by another user answers 403 and changes nothing',
  'comments-403-first': 'comments: an absent record answers 404 to every caller, not 403',
  'comment-gives-away': 'comments: the author in a body does not change the owner of a record',
  'anyone-publishes':
    "posts: publishing an absent post answers 404, publishing another user's post 403",
  'post-author-deletes': 'the author of a post cannot change its comments, nor the reverse',
  'tags-owned': 'every caller can change and delete every tag',

  'publish-forgets': 'publish answers 200 with the published post, also the second time',
  'publish-incomplete':
    'publishing a post without content answers 422 "cannot publish incomplete post"',
  'publish-400': 'publishing a post without content answers 422 "cannot publish incomplete post"',
  'create-published-empty':
    'creating a published post without content answers 422 and creates nothing',
  'put-published-empty':
    'an update that publishes a post without content answers 422 and changes nothing',
  'empties-published': 'emptying a published post answers 422 and changes nothing',
  'checks-what-was': 'one update can fill and publish a draft, or empty and withdraw a post',
  'put-publishes': 'a draft stays unpublished through other updates and can be emptied',
  'publish-race': 'concurrent publishing and emptying never leave an empty published post',
  'publish-any-id': 'publish rejects an invalid id',

  'views-after': 'a read counts as a view and shows it',
  'list-counts': 'a list shows views and does not count any',
  'views-touch': 'a read changes neither updated_at nor the order',
  'views-race': 'two hundred concurrent reads add two hundred views',
  'updates-lose-views': 'concurrent reads and updates lose neither views nor changes',
  'put-counts': 'updating, publishing and commenting do not count as views',
  'views-shared': 'each post has its own views',

  'comment-author-from-body': 'a comment belongs to its caller and to the post that it names',
  'comment-orphan': 'a comment on an absent post answers 404 and is not stored',
  'comment-empty': 'an empty comment is rejected',
  'comments-newest-first': 'a post is read with its comments, oldest first',
  'comments-oldest-fifty': 'a post embeds its newest fifty comments without itself, and counts all',
  'comments-with-post': 'a post embeds its newest fifty comments without itself, and counts all',
  'comments-total-shown': 'a post embeds its newest fifty comments without itself, and counts all',
  'etag-counts-views': 'an ETag holds until its post changes: 304 until then, 412 afterwards',
  'never-304': 'an ETag holds until its post changes: 304 until then, 412 afterwards',
  'if-match-ignored': 'an ETag holds until its post changes: 304 until then, 412 afterwards',
  'weak-matches': 'an ETag holds until its post changes: 304 until then, 412 afterwards',
  'if-match-race': 'one of twenty concurrent updates with the same If-Match succeeds',
  'comments-of-all': 'a post is read with its comments, oldest first',
  'comments-stale': 'a changed or deleted comment is changed or deleted in its post',
  'comments-stay': 'deleting a post deletes its comments and no others',
  'comment-race': 'a comment that is added while its post is deleted does not remain',
  'post-id-ignored': 'post_id filters the list of comments, with its total and pages',
  'comments-total-of-all': 'post_id filters the list of comments, with its total and pages',
  'post-id-parse-int': 'an invalid or repeated post_id answers 400, which names it',

  'slug-with-capitals': 'a missing slug is generated from the name',
  'slug-with-edges': 'a missing slug is generated from the name',
  'slug-long': 'a slug made from a name can be sent back',
  'slug-without-marks': 'letters of a generated slug keep their combining marks',
  'slug-empty': 'a name without usable characters gets a slug or is rejected',
  'slug-follows-name': 'a slug in the body is stored and stays when the name changes',
  'slug-numbered': 'a duplicate slug, sent or generated, answers 409 and creates nothing',
  'put-slug-unchecked': 'an update to a duplicate slug answers 409, and to the own slug succeeds',
  'own-slug-409': 'an update to a duplicate slug answers 409, and to the own slug succeeds',
  'tag-race': 'exactly one of fifty concurrent creates of one slug succeeds',
  'slug-any-case': 'slugs that differ in case, accent or space are different slugs',
  'slug-reserved': 'the slug of a deleted tag can be used again',
  'tag-in-use-409': 'deleting a tag removes it from its posts and keeps the posts',
  'tag-stays': 'deleting a tag removes it from its posts and keeps the posts',
  'tag-takes-posts': 'deleting a tag removes it from its posts and keeps the posts',
  'tag-copied': 'a renamed tag is renamed on its posts',

  'list-without-tags': 'a post accepts tags by slug or as they were read, and shows whole tags',
  'tag-by-id': 'only the slug of a tag object counts',
  'tag-renames': 'only the slug of a tag object counts',
  'tags-twice': 'a tag that is named twice counts once',
  'put-clears-tags': 'an update with tags replaces the tags, and an update without tags keeps them',
  'tags-added': 'an update with tags replaces the tags, and an update without tags keeps them',
  'unknown-tag-made': 'an unknown slug answers 400, which names it, and changes nothing',
  'unknown-tag-ignored': 'an unknown slug answers 400, which names it, and changes nothing',
  'tag-null-500': 'an invalid tag in a post answers 400, which names it',
  'ten-tags': 'thirty tags of one post and thirty posts of one tag are all stored',

  'published-false-ignored':
    'published, tag, search and author_id filter the posts, alone and combined',
  'filters-either': 'published, tag, search and author_id filter the posts, alone and combined',
  'tag-loses-to-search':
    'published, tag, search and author_id filter the posts, alone and combined',
  'total-unfiltered': 'total counts all records that match the filters',
  'unknown-tag-404': 'filtering by an absent author or tag returns an empty list',
  'tag-by-name': 'the filter tag matches a whole slug, not a name or a part',
  'tag-by-part': 'the filter tag matches a whole slug, not a name or a part',
  'search-stale': 'filters see an update at once',
  'published-loose': 'an invalid or repeated filter answers 400, which names it',
  'filter-twice': 'an invalid or repeated filter answers 400, which names it',

  'search-title-only': 'search finds a substring of title or content in any case',
  'search-joined': 'search finds a substring of title or content in any case',
  'search-case': 'search finds a substring of title or content in any case',
  'search-ascii': 'search ignores case beyond ASCII',
  'search-final-sigma': 'search treats final and medial Greek sigma as one letter',
  'search-regex': 'search text is literal and has no wildcards',
  'search-like': 'search text is literal and has no wildcards',
  'search-strips': 'searching for a single wildcard character finds the texts that contain it',
  'search-64-kb': 'search finds the end of 100 kB of text and accepts a long search text',

  'far-author-500': 'a filter by an id beyond every record returns nothing or is rejected by name',
  'nul-500': 'a search or tag of unusual text finds nothing or is rejected by name',
  'slug-cut': 'an unusual slug is stored unchanged or rejected by name, and is unknown on a post',
  'login-nul-cuts': 'a login with unusual texts answers 401 or 400',
  'publish-gone-500': 'reading and publishing a post during its removal answers 2xx or 404',
  'tag-sets-mixed': 'one of several concurrent sets of tags is stored completely',
  'tag-race-ghost': 'no post has a tag that was deleted concurrently',

  'extension-lowered': 'an image is stored under a new name with its original extension',
  'climbing-refused': 'only the extension of a path-like file name is used',
  'svg-passes': 'an unsupported extension answers 400 "Invalid file type"',
  'extension-anywhere': 'an unsupported extension answers 400 "Invalid file type"',
  'first-bytes-unread':
    'a file whose first bytes do not fit its extension answers 400 "Invalid file type"',
  'images-mixed':
    'a file whose first bytes do not fit its extension answers 400 "Invalid file type"',
  'old-gif-refused': 'an image is stored if it has the first bytes of its type, and nothing more',
  'empty-passes': 'an empty file answers 400',
  'refuses-late': 'a refused file is answered before its end',
  'no-file-told': 'a form without a file in the field image answers 400 "No file uploaded"',
  'any-field': 'a form without a file in the field image answers 400 "No file uploaded"',
  'not-form-415': 'an upload that is no form answers "No file uploaded"',
  'truncated-kept': 'a truncated form and a form without a boundary answer 400',
  'limit-5-mb': 'a file of exactly 5 MiB is stored, and one byte more answers 413',
  'limit-loose': 'a file of exactly 5 MiB is stored, and one byte more answers 413',
  'fields-refused': 'two files, or a file among other fields, never answer 5xx',
  'named-by-second': 'ten concurrent uploads create ten files',
  'long-field-500': 'unusual forms never answer 5xx',

  'files-closed': 'an uploaded file is served without a credential, unchanged, as an image',
  'files-untyped': 'an uploaded file is served without a credential, unchanged, as an image',
  'files-sniffed': 'a served file has its security headers: nosniff, and no framing',
  'range-as-image': 'a file request that fails answers JSON that is not cached',
  'files-climb': 'no path, encoded or not, leaves or lists the upload folder',
  'files-listed': 'no path, encoded or not, leaves or lists the upload folder',
  'files-deletable': 'a file cannot be changed or deleted over HTTP',

  'false-refused': 'posts: false counts as a value in a create and in an update',
  'put-orphans': 'comments: a dangling reference answers 404 and changes nothing',

  'openapi-no-security': 'openapi.json requires a bearer token exactly for the protected routes',
  'openapi-loose-register': 'the bodies of registration and login are documented with their limits',
  'openapi-no-422': 'the responses of the blog match their documented schemas',
  'openapi-no-filters': 'the filters of posts and comments are documented with their ranges',
  'openapi-form-loose': 'the form of an upload is documented with a file in the field image',
} as const satisfies Readonly<Record<string, string>>

/** Broken processes of the reference blog, with the title of the check that must fail. */
export const blogProcessMutants = {
  'secret-optional': 'a missing JWT_SECRET or one below 32 bytes stops the start',
  'secret-short': 'a missing JWT_SECRET or one below 32 bytes stops the start',
  'secret-shown': 'a missing JWT_SECRET or one below 32 bytes stops the start',
  'secret-in-characters': 'a JWT_SECRET of 32 bytes of any characters is accepted',
  'any-hs': 'a token with the right secret is accepted only with all claims and HS256',
  'exp-optional': 'a token with the right secret is accepted only with all claims and HS256',
  'claims-unchecked': 'a token with the right secret is accepted only with all claims and HS256',
  'nobody-writes': 'a token of an absent user answers "Invalid token" everywhere',
  'exp-ignored': 'an expired token is rejected, and a token that expires soon is accepted',
  'secret-made-up': 'users and tokens survive a restart, and a new secret ends all tokens',
  'logs-bodies': 'the log contains no password, no token and no secret',
  'save-crashes': 'a failed save answers 500 "Failed to save file", and the process continues',
  'save-told': 'a failed save answers 500 "Failed to save file", and the process continues',
  'save-ignored': 'a failed save answers 500 "Failed to save file", and the process continues',
  'dir-ignored': 'an upload is stored in UPLOAD_DIR under its name and survives a restart',
  'part-left': 'an upload aborted by the client leaves no file',
  'part-left-by-kill': 'an upload cut off by a kill leaves no file after the next start',
  'part-left-by-stop': 'an upload cut off by a stop leaves no file',
  'saves-first': 'a rejected upload leaves no file',
  'upload-copied': 'no file name writes and no path reads outside UPLOAD_DIR',
} as const satisfies Readonly<Record<string, string>>

export type BlogMutantName = keyof typeof blogMutants | keyof typeof blogProcessMutants
