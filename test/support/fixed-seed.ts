import fc from 'fast-check'

/** Constant, so that a failure comes from a code change. PROPERTY_SEED=<n> selects other cases. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? 1) })
