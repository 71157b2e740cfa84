import type { Memo, MemoDraft, MemoFilter } from '../domain/memo.js'
import type { Repository } from './repository.js'

type Records = Repository<Memo, MemoDraft & Pick<Memo, 'authorId'>, MemoFilter>

export interface MemoRepository extends Records {
  /** Returns the id of the author without reading the memo. Undefined if the memo does not exist. */
  owner(id: number): Promise<number | undefined>
}
