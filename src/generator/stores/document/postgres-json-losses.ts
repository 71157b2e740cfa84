import type { Model } from '../../model/model.ts'
import { documentLosses } from './losses.ts'

/** What the document kinds say of a change; but a foreign key takes no value that is the id of none. */
export function postgresJsonLosses(from: Model, to: Model): readonly string[] {
  return documentLosses(from, to).map((loss) =>
    loss.replace(
      /( refers to \w+ from now on): .*/,
      '$1: the app refuses to start if a record has the id of none',
    ),
  )
}
