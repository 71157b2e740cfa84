/**
 * Broken versions of the reference: the name of each, and the title of the check that must fail.
 * Every check occurs at least once, so no check can be empty.
 */
export const referenceMutants = {
  'health-status': 'health answers the status ok and a timestamp, and nothing else',
  'health-uptime': 'health answers the status ok and a timestamp, and nothing else',
  'health-epoch': 'the timestamp of health is the current time in ISO 8601 UTC',
  'health-frozen': 'the timestamp of health is the current time in ISO 8601 UTC',

  'ready-status': 'ready answers the status ready, and nothing else',

  '404-html': 'an unknown path answers 404 with a JSON error for every method and Accept header',
  'errors-as-text':
    'an unknown path answers 404 with a JSON error for every method and Accept header',
  'error-key-message':
    'an unknown path answers 404 with a JSON error for every method and Accept header',
  'error-status-code':
    'an unknown path answers 404 with a JSON error for every method and Accept header',
  'bad-encoding-500': 'a badly encoded path or a path with dot segments answers 400 or 404',
  '405-as-404': 'an unsupported method answers 405, and Allow lists exactly the supported methods',
  'allow-missing':
    'an unsupported method answers 405, and Allow lists exactly the supported methods',
  'allow-incomplete':
    'an unsupported method answers 405, and Allow lists exactly the supported methods',
  'head-refused': 'HEAD answers like GET without a body',

  'no-nosniff-on-errors': 'every response has nosniff',
  'framing-sameorigin': 'every response forbids framing',
  'no-referrer-policy': 'every response sets a no-referrer policy',
  'x-powered-by': 'no response names the framework',
  'request-id-missing': 'every response has a request id: the one of the request or a new one',
  'request-id-ignored': 'every response has a request id: the one of the request or a new one',

  'create-200': 'users: a create answers 201 with the record',
  'camel-case': 'users: a create answers 201 with the record',
  'extra-key': 'users: a create answers 201 with the record',
  'id-string': 'users: a create answers 201 with the record',
  'local-timestamps': 'users: a create answers 201 with the record',
  'no-location': 'users: a create names the path of the record in Location',
  'patch-does-nothing': 'users: PATCH changes the sent fields and keeps the others, like PUT',
  'list-lags': 'users: a created record reads back the same from its path and the list',
  'clock-wrong': 'users: the timestamps of a new record are the current time',
  'put-replaces':
    'users: an update of one field answers 200 with the record and keeps the other fields',
  'put-wants-all':
    'users: an update of one field answers 200 with the record and keeps the other fields',
  'put-ignores-age':
    'users: an update of one field answers 200 with the record and keeps the other fields',
  'update-201':
    'users: an update of one field answers 200 with the record and keeps the other fields',
  'update-hits-neighbour': 'users: an update changes no other record',
  'empty-put-accepted': 'users: an update without fields answers 400',
  'managed-refused':
    'users: a record can be sent back as it was read, in a create and in an update',
  'managed-written': 'users: id, created_at and updated_at in a body are ignored',
  'managed-checked': 'users: invalid values of read-only fields do not change the outcome',
  'updated-at-frozen': 'users: an update advances updated_at and keeps created_at',
  'created-at-moves': 'users: an update advances updated_at and keeps created_at',
  'delete-200': 'users: a deleted record is gone from its path and from the list',
  'delete-marks-only': 'users: a deleted record is gone from its path and from the list',
  'ids-again': 'users: the id of a deleted record is not reused',
  'delete-takes-older': 'users: a delete removes one record and no other',
  'put-upserts': 'users: updating or deleting an absent record answers 404 and creates nothing',
  'delete-absent-204':
    'users: updating or deleting an absent record answers 404 and creates nothing',

  'negative-id-404': 'users: the ids abc, 0, -1 and 1.5 answer 400',
  'id-parse-int': 'users: an id that starts with a digit but is no number answers 400',
  'id-number': 'users: an id in another number notation finds no record',
  'id-32-bit': 'users: an unused id up to 2^53 - 1 answers 404',
  'crash-on-huge-id': 'users: an id past 2^53 answers 404 or 400',

  'bad-json-500': 'users: a body that is not JSON answers 400',
  'stack-leaked': 'users: a body that is not JSON answers 400',
  'arrays-pass': 'users: a JSON body that is not an object answers 400',
  'any-content-type': 'users: a body without a JSON content type answers 415',
  'charset-refused': 'users: application/json is accepted in any case and with a charset',
  'type-case-matters': 'users: application/json is accepted in any case and with a charset',
  'limit-100-kib': 'users: a body of exactly 1 MiB is accepted with and without Content-Length',
  'limit-off': 'users: a body over 1 MiB answers 413 with and without Content-Length',
  'limit-only-declared': 'users: a body over 1 MiB answers 413 with and without Content-Length',
  'too-large-hangs-up': 'users: a body over 1 MiB answers 413 with and without Content-Length',
  'gzip-unlimited': 'users: a compressed body cannot exceed the body limit',
  'bytes-500': 'users: bodies that are not UTF-8 answer 4xx',
  'ten-faults': 'users: a deeply nested value and hundreds of unknown fields answer 400',

  'no-details': 'users: a create with an empty body names every required field',
  'first-fault-only': 'users: a create with an empty body names every required field',
  'detail-code': 'users: a create with an empty body names every required field',
  'path-prefixed': 'users: a create with an empty body names every required field',
  'names-every-field': 'users: a create without one field names only this field',
  'null-passes': 'users: a create with one value of the wrong type names only this field',
  'scalars-become-text': 'users: a create with one value of the wrong type names only this field',
  'numbers-from-text': 'users: an update with one value of the wrong type names only this field',
  'fractions-pass': 'users: an update with one value of the wrong type names only this field',
  'unknown-after-known': 'users: invalid, missing and unknown fields are all named at once',
  'unknown-ignored':
    'users: an unknown field answers 400, which names it, in a create and in an update',
  'unknown-only-in-create':
    'users: an unknown field answers 400, which names it, in a create and in an update',
  'prototype-keys-pass':
    'users: __proto__, constructor and toString are rejected as unknown fields',
  'fault-still-writes': 'users: a body with one invalid field changes nothing',
  'zero-refused': 'users: zero counts as a value in a create and in an update',
  'int-wraps': 'users: an integer of any size is stored exactly or rejected by name',
  'int-32-bit-500': 'users: an integer of any size is stored exactly or rejected by name',
  'email-plus-refused': 'users: a well-formed e-mail is accepted',
  'any-email': 'users: a malformed e-mail is rejected and named',
  'email-at-only': 'users: a malformed e-mail is rejected and named',
  'email-multiline': 'users: a malformed e-mail is rejected and named',
  'email-unique': 'users: two users can have the same e-mail',

  'page-size-10': 'users: a list without parameters returns the first 20 records',
  'list-key-data': 'users: a list without parameters returns the first 20 records',
  'list-extra-key': 'users: a list without parameters returns the first 20 records',
  'list-without-page': 'users: a list without parameters returns the first 20 records',
  'page-size-as-sent': 'users: a list contains its page and page_size',
  'unknown-query-passes': 'users: an unknown query parameter answers 400, which names it',
  'total-of-page': 'users: total counts every record on every page',
  'total-lost-past-end': 'users: total counts every record on every page',
  'offset-off-by-one': 'users: pages split 45 records without a gap or an overlap',
  'page-one-short': 'users: pages split 45 records without a gap or an overlap',
  'past-the-end-404': 'users: the last page has the remaining records, and later pages are empty',
  'window-of-10000': 'users: the last page has the remaining records, and later pages are empty',
  'oldest-first': 'users: lists are newest first, and by descending id within one instant',
  'ties-by-lower-id': 'users: lists are newest first, and by descending id within one instant',
  'sorted-by-update': 'users: an update does not change the order of a list',
  'page-zero-passes': 'users: page and page_size out of range answer 400, which names only them',
  'page-parse-int': 'users: page and page_size out of range answer 400, which names only them',
  'page-size-clamped': 'users: page and page_size out of range answer 400, which names only them',
  'empty-parameter-passes':
    'users: page and page_size out of range answer 400, which names only them',
  'page-size-99': 'users: page_size 1 and 100 are in range',
  'repeated-takes-first': 'users: a repeated query parameter answers 400, even with the same value',
  'odd-query-500': 'users: an unusual query string is ignored or rejected',
  'offset-overflow': 'users: a page beyond every list is empty or rejected',
  'whole-seconds': 'users: timestamps are exact to the millisecond',
  'sort-ignored':
    'users: sort orders a list, and ids break ties in the direction of the first field',
  'ties-always-descending':
    'users: sort orders a list, and ids break ties in the direction of the first field',
  'cursor-never-ends':
    'users: next_cursor is null on the last page, and elsewhere starts the next page',
  'cursor-is-an-offset':
    'users: pages by cursor have no gap and no overlap while records come and go',
  'any-sort-passes': 'users: an invalid sort answers 400, which names it',
  'any-cursor-passes': 'users: an invalid cursor answers 400, which names it',
  'cursor-beside-page':
    'users: a cursor with a page or another sort answers 400, which names the cursor',
  'gte-excludes': 'users: age filters a list by value and by range',
  'lt-includes': 'users: age filters a list by value and by range',
  'ranges-as-text': 'users: age filters a list by value and by range',
  'any-bound-passes': 'users: an invalid or unknown comparison answers 400, which names it',
  'list-shows-stale': 'users: a record is listed as soon as its write is answered',

  'three-byte-text': 'users: text of every script reads back unchanged',
  normalizes: 'users: text of every script reads back unchanged',
  trims: 'users: text of every script reads back unchanged',
  'html-escaped': 'users: text that looks like a query, a path or a template reads back unchanged',
  'percent-stripped':
    'users: text that looks like a query, a path or a template reads back unchanged',
  'surrogates-replaced':
    'users: NUL and unpaired surrogates are stored unchanged or rejected by name',
  'nul-cuts': 'users: NUL and unpaired surrogates are stored unchanged or rejected by name',
  truncates: 'users: an empty or long text is stored unchanged or rejected by name',
  'long-names-500': 'users: an empty or long text is stored unchanged or rejected by name',

  'ids-race': 'users: fifty concurrent creates make fifty records',
  'torn-update': 'users: one of several concurrent updates is stored completely',
  'lost-update': 'users: concurrent updates of different fields are all stored',
  resurrects: 'users: a record deleted while it is updated stays deleted',
  'delete-race': 'users: concurrent deletes answer 204 or 404, at least one of them 204',

  'head-with-body': 'pipelined requests are answered in order',
  'delete-with-body': 'users: a delete answers 204 with nothing after its headers',
  'refusal-closes': 'users: a connection stays usable after a rejected body',
  'hang-up-stores': 'users: an aborted or malformed request does not disturb other clients',

  'openapi-3.0': 'openapi.json is a valid OpenAPI 3.1 document',
  'openapi-invalid': 'openapi.json is a valid OpenAPI 3.1 document',
  'openapi-misses-put': 'openapi.json documents every route of the contract',
  'openapi-ghost': 'every documented operation is served',
  'documents-too-little': 'a method that a documented path lacks answers 405',
  'openapi-misses-status': 'every status that the suite meets is documented',
  'openapi-wrong-type': 'responses match their documented schemas',
  'openapi-loose-answer': 'the documented schemas allow nothing that responses never contain',
  'openapi-loose-body': 'the documented request bodies match exactly the accepted bodies',
  'openapi-no-range': 'the parameters of lists and records are documented with their ranges',
} as const satisfies Readonly<Record<string, string>>

export type MutantName = keyof typeof referenceMutants
