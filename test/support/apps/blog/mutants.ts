/**
 * Broken versions of the reference blog: the name of each, and the title of the check that must
 * notice. Every check that only the blog has stands here at least once, so no check can be empty.
 */
export const blogMutants = {
  'register-200': 'registering answers 201 with a token and the user, and nothing else',
  'user-extra': 'registering answers 201 with a token and the user, and nothing else',
  'name-optional': 'registering names every field that is missing or wrong, and no other',
  'role-passes': 'registering names every field that is missing or wrong, and no other',
  'name-of-one': 'a name needs two characters, and a password eight',
  'password-of-six': 'a name needs two characters, and a password eight',
  'any-email': 'a malformed e-mail does not register',
  'email-case-matters':
    'a used e-mail is 409 "email already registered", in any case of its letters',
  'taken-is-400': 'a used e-mail is 409 "email already registered", in any case of its letters',
  'taken-in-other-words':
    'a used e-mail is 409 "email already registered", in any case of its letters',
  'register-overwrites': 'the one who registered first keeps the e-mail and the password',
  'register-race': 'of fifty registrations of one e-mail at once exactly one succeeds',
  'password-72-bytes': 'every character of a password counts, or the password is refused',
  'password-trimmed': 'every character of a password counts, or the password is refused',

  'login-201': 'login answers 200 with a token and the user who registered',
  'login-case-matters': 'login knows an e-mail in any case of its letters',
  'unknown-told': 'an unknown e-mail and a wrong password get the same answer',
  'password-any-case': 'a password that is nearly right is wrong',
  'email-like': 'an e-mail is compared and not matched as a pattern',
  'login-ignores-unknown': 'login names every field that is missing, wrong or unknown',
  'auth-takes-forms': 'what is no JSON object neither registers nor logs in',

  'posts-delete-open':
    'every protected route without a credential is 401 "Authorization header required"',
  'comments-read-open':
    'every protected route without a credential is 401 "Authorization header required"',
  'validates-before-401':
    'every protected route without a credential is 401 "Authorization header required"',
  'bad-token-told': 'every protected route with a bad token is 401 "Invalid token"',
  'comments-list-403': 'every protected route lets a caller in',
  'posts-closed': 'reading posts and tags needs no credential',
  'bearer-any-case': 'what is not "Bearer <token>" is 401 "Invalid authorization format"',
  'bearer-spaces': 'what is not "Bearer <token>" is 401 "Invalid authorization format"',
  'bearer-more': 'what is not "Bearer <token>" is 401 "Invalid authorization format"',
  'empty-header-500': 'an empty Authorization header is 401',
  'token-in-query': 'a token counts in its header and nowhere else',
  'token-in-cookie': 'a token counts in its header and nowhere else',

  'token-seven-days': 'a token is an HS256 JWT with user_id, email, iat and an exp 24 hours later',
  'token-no-email': 'a token is an HS256 JWT with user_id, email, iat and an exp 24 hours later',
  'token-hs512': 'a token is an HS256 JWT with user_id, email, iat and an exp 24 hours later',
  'garbage-500': 'what is no token is "Invalid token"',
  'alg-none': 'a token without a signature is refused, whatever it calls its algorithm',
  'signature-ignored': 'a token that was changed is refused',
  'secret-literal': 'a token signed with another secret or a key pair is refused',
  'one-session': 'a token speaks for its own user, and a later one does not end it',

  'refusal-echoes': 'no answer holds a password or a hash of one',
  'author-with-email': 'no public answer holds an e-mail address: an author is an id and a name',
  'users-listed': 'there is no list of users, and none can be read or changed',

  'content-null': 'a post of a title alone is an empty draft by its caller',
  'views-from-one': 'a post of a title alone is an empty draft by its caller',
  'author-from-body': 'the author of a post is its caller, whatever the body says',
  'views-from-body': 'views and comments in the body of a post are ignored, and are no change',
  'read-back-refused': 'a whole post as it was read can be sent back, and copied by another',
  'empty-title-passes': 'a title is never empty, in a create and in an update',
  'content-64-kb': 'a content of 100 kB is kept whole, alone and in the list',
  'page-as-text': 'a list of posts says its page and page_size',

  'anyone-updates-posts': "posts: another's update or delete is 403 and changes nothing",
  'anyone-deletes-posts': "posts: another's update or delete is 403 and changes nothing",
  '403-before-404': 'posts: what is not there is 404 for everybody, and not 403',
  'gives-away': 'posts: the author in a body neither gives a record away nor takes it',
  'anyone-updates-comments': "comments: another's update or delete is 403 and changes nothing",
  'comments-403-first': 'comments: what is not there is 404 for everybody, and not 403',
  'comment-gives-away': 'comments: the author in a body neither gives a record away nor takes it',
  'anyone-publishes':
    'posts: publishing what is not there is 404, of another 403, and changes nothing',
  'post-author-deletes': "a post's author may not change the comment of another, nor the reverse",
  'tags-owned': 'tags are everybody’s: any caller may change and delete them',

  'publish-forgets': 'publish answers 200 with the post, published, and again the same',
  'publish-incomplete': 'publishing a post without content is 422 "cannot publish incomplete post"',
  'publish-400': 'publishing a post without content is 422 "cannot publish incomplete post"',
  'create-published-empty': 'creating a published post without content is 422, and makes none',
  'put-published-empty': 'an update that would publish without content is 422, and changes nothing',
  'empties-published': 'emptying a published post is 422, and changes nothing',
  'checks-what-was': 'one update may fill a draft and publish it, or empty a post and withdraw it',
  'put-publishes': 'a draft keeps its false through other updates, and may be emptied',
  'publish-race': 'publishing and emptying at once never leave an empty published post',
  'publish-any-id': 'publish wants an id like any other path',

  'views-after': 'a reading counts as a view, this one included',
  'list-counts': 'a list shows the views and counts none',
  'views-touch': 'a reading is no update: updated_at stays, and so does the order',
  'views-race': 'two hundred readings at once add two hundred views',
  'updates-lose-views': 'readings and updates at once lose neither',
  'put-counts': 'an update, a publishing and a comment are no views',
  'views-shared': 'the views of one post are not those of another',

  'comment-author-from-body': 'a comment is its caller’s, on the post it names',
  'comment-orphan': 'a comment on a post that is not there is 404, and is not kept',
  'comment-empty': "a comment's content is never empty",
  'comments-newest-first': 'a post is read with its comments, the oldest first',
  'comments-of-all': 'a post is read with its comments, the oldest first',
  'comments-stale': 'a comment that is changed or deleted is so in its post',
  'comments-stay': 'comments fall with their post, and no other do',
  'comment-race': 'a comment that comes while its post is deleted is refused or falls with it',
  'post-id-ignored': 'post_id filters the list of comments, with its total and pages',
  'comments-total-of-all': 'post_id filters the list of comments, with its total and pages',
  'post-id-parse-int': 'a post_id that is no id, or comes twice, is 400 and named',

  'slug-with-capitals': 'a slug is made from the name when none is sent',
  'slug-with-edges': 'a slug is made from the name when none is sent',
  'slug-empty': 'a name that no slug can be made from is kept with one or refused',
  'slug-follows-name': 'a slug that is sent is kept, and stays when the name changes',
  'slug-numbered': 'a taken slug is 409, sent or made from the name, and makes nothing',
  'put-slug-unchecked':
    'an update to a taken slug is 409 and changes nothing, to its own slug is none',
  'own-slug-409': 'an update to a taken slug is 409 and changes nothing, to its own slug is none',
  'tag-race': 'of fifty creates of one slug at once exactly one succeeds',
  'slug-any-case':
    'slugs that differ in case, an accent or a space are others, each with its posts',
  'slug-reserved': 'a slug is free again when its tag is deleted',
  'tag-in-use-409': 'deleting a tag takes it off its posts, and leaves them',
  'tag-stays': 'deleting a tag takes it off its posts, and leaves them',
  'tag-takes-posts': 'deleting a tag takes it off its posts, and leaves them',
  'tag-copied': 'a tag that is renamed is so on its posts',

  'list-without-tags': 'a post takes tags by slug or as they are read, and shows them whole',
  'tag-by-id': 'of a tag object only the slug is looked at',
  'tag-renames': 'of a tag object only the slug is looked at',
  'tags-twice': 'a tag that is named twice is one',
  'put-clears-tags':
    'an update with tags puts them in place of the others, and one without leaves them',
  'tags-added': 'an update with tags puts them in place of the others, and one without leaves them',
  'unknown-tag-made': 'an unknown slug is 400 and named, and nothing is made or changed',
  'unknown-tag-ignored': 'an unknown slug is 400 and named, and nothing is made or changed',
  'tag-null-500': 'what is neither a slug nor a tag is 400 and named',
  'ten-tags': 'thirty tags of one post, and thirty posts of one tag, are all kept',

  'published-false-ignored':
    'published, tag, search and author_id filter the posts, alone and combined',
  'filters-either': 'published, tag, search and author_id filter the posts, alone and combined',
  'tag-loses-to-search':
    'published, tag, search and author_id filter the posts, alone and combined',
  'total-unfiltered': 'total counts what the filters leave, before pages are cut',
  'unknown-tag-404': 'an author or a tag that is not there leaves nothing',
  'tag-by-name': 'a tag is known by its whole slug, and not by its name or a part of it',
  'tag-by-part': 'a tag is known by its whole slug, and not by its name or a part of it',
  'search-stale': 'filters follow what is changed',
  'published-loose': 'a filter that is out of its range, or comes twice, is 400 and named',
  'filter-twice': 'a filter that is out of its range, or comes twice, is 400 and named',

  'search-title-only': 'search finds a substring of the title or the content, in any case',
  'search-joined': 'search finds a substring of the title or the content, in any case',
  'search-case': 'search finds a substring of the title or the content, in any case',
  'search-ascii': 'search knows letters beyond ASCII in any case',
  'search-final-sigma':
    'search takes a Greek sigma at the end of a word and within it as one letter',
  'search-regex': 'search text is literal: no character of it has any power',
  'search-like': 'search text is literal: no character of it has any power',
  'search-strips': 'a character with power elsewhere, searched alone, finds what holds it',
  'search-64-kb': 'search finds the end of 100 kB, and takes a long text',

  'far-author-500': 'a filter by an id beyond every record leaves nothing or is refused by name',
  'nul-500': 'a search or a tag of odd text finds nothing or is refused by name',
  'slug-cut': 'an odd slug is kept whole or refused by name, and on a post it is unknown',
  'login-nul-cuts': 'a login with odd texts is 401 or 400',
  'publish-gone-500': 'a post that is deleted while it is read and published is there or 404',
  'tag-sets-mixed': 'of sets of tags given at once one is kept, whole',
  'tag-race-ghost': 'a tag that is deleted while posts take it is on none of them afterwards',

  'extension-lowered':
    'an image is kept under a name of its own, with its extension as it was sent',
  'climbing-refused': 'a name that climbs gives only its extension',
  'svg-passes': 'another extension is 400 "Invalid file type"',
  'extension-anywhere': 'another extension is 400 "Invalid file type"',
  'no-file-told': 'a form without a file in image is 400 "No file uploaded"',
  'any-field': 'a form without a file in image is 400 "No file uploaded"',
  'not-form-415': 'what is no form has no file',
  'truncated-kept': 'a form that breaks off, or has no boundary, is 400',
  'limit-5-mb': 'a file of exactly 5 MiB is kept whole, and one byte more is 413',
  'limit-loose': 'a file of exactly 5 MiB is kept whole, and one byte more is 413',
  'fields-refused':
    'two files, or one among other fields, are kept or refused and never an error of ours',
  'named-by-second': 'ten uploads at once are ten files',
  'long-field-500': 'odd forms are kept or refused, and never an error of ours',

  'files-closed': 'an uploaded file is served to everybody, byte for byte, as an image',
  'files-untyped': 'an uploaded file is served to everybody, byte for byte, as an image',
  'files-sniffed': 'a served file has its security headers: nosniff, and no framing',
  'range-as-image': 'what can not be served of a file is refused in JSON that no cache keeps',
  'files-climb': 'no path leads out of the folder of uploads, encoded or not, nor lists it',
  'files-listed': 'no path leads out of the folder of uploads, encoded or not, nor lists it',
  'files-deletable': 'a file can not be changed or deleted over HTTP',

  'false-refused': 'posts: false is a value, in a create and in an update',
  'put-orphans': 'comments: a reference to a record that is not there is 404, and changes nothing',

  'openapi-no-security':
    'openapi.json asks for a bearer token where a route does, and nowhere else',
  'openapi-loose-register': 'the bodies of registration and login are documented with their limits',
  'openapi-no-422': 'the answers of the blog match the schemas that document them',
  'openapi-no-filters': 'the filters of posts and comments are documented with their ranges',
  'openapi-form-loose': 'the form of an upload is documented as one with a file in image',
} as const satisfies Readonly<Record<string, string>>

/** Broken ways to run the reference blog, by the title of the check that must notice. */
export const blogProcessMutants = {
  'secret-optional':
    'a JWT_SECRET that is missing or shorter than 32 bytes is refused at the start',
  'secret-short': 'a JWT_SECRET that is missing or shorter than 32 bytes is refused at the start',
  'secret-shown': 'a JWT_SECRET that is missing or shorter than 32 bytes is refused at the start',
  'secret-in-characters': 'a JWT_SECRET of 32 bytes is enough, whatever its characters are',
  'any-hs': 'of tokens signed with the right secret only whole ones in HS256 pass',
  'exp-optional': 'of tokens signed with the right secret only whole ones in HS256 pass',
  'claims-unchecked': 'of tokens signed with the right secret only whole ones in HS256 pass',
  'nobody-writes': 'a token of nobody makes nothing',
  'exp-ignored': 'an expired token is refused, and one that expires soon is not',
  'secret-made-up': 'users and their tokens outlive a restart, and no token another secret',
  'logs-bodies': 'the log tells no password, no token and no secret',
  'save-crashes':
    'a file that can not be saved is 500 "Failed to save file", and the process goes on',
  'save-told': 'a file that can not be saved is 500 "Failed to save file", and the process goes on',
  'save-ignored':
    'a file that can not be saved is 500 "Failed to save file", and the process goes on',
  'dir-ignored': 'an upload lies in UPLOAD_DIR under its name, and outlives a restart',
  'part-left': 'a client that hangs up in the middle of an upload leaves no file',
  'saves-first': 'a refused upload leaves no file',
  'upload-copied': 'a name that climbs writes nothing outside UPLOAD_DIR, and no path reads there',
} as const satisfies Readonly<Record<string, string>>

export type BlogMutantName = keyof typeof blogMutants | keyof typeof blogProcessMutants
