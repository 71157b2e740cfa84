/** Words with a meaning in a template, a language or a library: the names most likely to break a file. */
export const treacherousFields = wordsOf(`
  order group user key select from where table index primary references values default check column
  class new delete function return var let const enum interface type typeof void with yield await
  async static public private implements package of as is any unknown never string number boolean
  symbol object null undefined true false this super import export in instanceof if else for while
  date error map set array promise json math number_x process global console buffer fetch event url
  router express z text integer unsigned float decimal date_time uuid email prisma store run rows data
  page row total id_x req res next created status body query params parse fields read_only reply doc
  now repository service draft changes absent n value values_x resource app count skip take client
  created_by updated_by page_size password a b a1 x2 then catch finally length name prototype arguments
  eval options details path message kind scalar and or not none some every equals contains nonsense`)

export const treacherousEntities = wordsOf(`
  User Order Group Key Table Index Class New Delete Function Return Var Enum Type Void Default Package
  Date Error Map Set Array Promise Json Math Process Global Console Buffer Event Url Request Response
  Router Express Z Text Integer Decimal Uuid Email Prisma PrismaClient Store Run Row Data Page Total
  App Config Container Health Client Api ApiDoc Repository Service Handler Schema Routes Memory Sample
  Logger Server Book BookDraft BookChanges BookService BlogPost Post PostTag Tag Person News Category
  Status Series Fish HTTPServer Oauth2Token A B2 Constructor Object String Number Symbol Undefined
  Record Partial Omit Pick Readonly Fields Field Domain Test Vitest Expect Crud Body Changes Draft`)

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.trim().split(/\s+/))]
}
