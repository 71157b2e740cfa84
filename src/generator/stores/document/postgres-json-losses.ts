import type { Model } from '../../model/model.ts'
import { documentLosses } from './losses.ts'

/** Returns the losses of the document kinds. A dangling reference differs: a foreign key does not allow it. */
export function postgresJsonLosses(from: Model, to: Model): readonly string[] {
  return documentLosses(from, to).map((loss) =>
    loss.replace(
      /( now refers to (\w+)): a record .*/,
      '$1: the app refuses to start if a value is not an id of $2',
    ),
  )
}
