import type { Label, LabelDraft, LabelFilter } from '../domain/label.js'
import type { Repository } from './repository.js'

export type LabelRepository = Repository<Label, LabelDraft, LabelFilter>
