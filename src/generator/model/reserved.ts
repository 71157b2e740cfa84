/**
 * Names that an entity's type or an emitted variable may not have. `identifiers.ts` reads these lists.
 *
 * A list contains only names that an entity can have: `URL` is missing, because that entity is `Url`.
 * Adding a name is a breaking change: entities of that name get another type in the emitted code.
 */
export const reservedTypes: ReadonlySet<string> = new Set([
  ...runtimeGlobals(),
  ...libraryTypes(),
  ...prismaTypes(),
  ...emittedTypes(),
])

/**
 * Names that a variable may not have: the reserved words of ECMAScript 2024 in strict mode, the
 * lowercase names that Biome's `noShadowRestrictedNames` reports, and the globals that emitted files
 * use.
 */
export const reservedVariables: ReadonlySet<string> = new Set(
  wordsOf(`
  arguments async await break case catch class const continue debugger default delete do else enum
  eval export extends false finally for function if implements import in instanceof interface let
  new null package private protected public return static super switch this throw true try typeof
  undefined var void while with yield
  constructor escape globalThis hasOwnProperty isFinite isNaN isPrototypeOf parseFloat parseInt
  propertyIsEnumerable toLocaleString toString unescape valueOf
  atob btoa clearImmediate clearInterval clearTimeout console crypto exports fetch global module
  performance process queueMicrotask require setImmediate setInterval setTimeout structuredClone`),
)

/**
 * `Object.getOwnPropertyNames(globalThis)` of Node 20.20, 22.23 and 24.21, and `Storage`,
 * `EventSource`, `ErrorEvent` and `Temporal` of newer versions. Covers every uppercase name of
 * `noShadowRestrictedNames` in Biome 2.6.
 */
function runtimeGlobals(): readonly string[] {
  return wordsOf(`
  AbortController AbortSignal AggregateError Array ArrayBuffer AsyncDisposableStack Atomics
  BigInt BigInt64Array BigUint64Array Blob Boolean BroadcastChannel Buffer
  ByteLengthQueuingStrategy CloseEvent CompressionStream CountQueuingStrategy Crypto CryptoKey
  CustomEvent DataView Date DecompressionStream DisposableStack Error ErrorEvent EvalError Event
  EventSource EventTarget File FinalizationRegistry Float16Array Float32Array Float64Array
  FormData Function Headers Infinity Int16Array Int32Array Int8Array Intl Iterator Map Math
  MessageChannel MessageEvent MessagePort NaN Navigator Number Object Performance
  PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver
  PerformanceObserverEntryList PerformanceResourceTiming Promise Proxy RangeError
  ReadableByteStreamController ReadableStream ReadableStreamDefaultController
  ReadableStreamDefaultReader ReferenceError Reflect RegExp Request Response Set
  SharedArrayBuffer Storage String SubtleCrypto SuppressedError Symbol SyntaxError Temporal
  TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream
  TransformStreamDefaultController TypeError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WebSocket WritableStream
  WritableStreamDefaultController WritableStreamDefaultWriter`)
}

/**
 * Global types of TypeScript's `lib.es5` to `lib.esnext` with the decorators, and of `@types/node`,
 * that are not runtime globals. Emitted files use some of them, the utility types.
 */
function libraryTypes(): readonly string[] {
  return wordsOf(`
  AddEventListenerOptions AggregateErrorConstructor ArrayBufferConstructor ArrayBufferLike
  ArrayBufferTypes ArrayBufferView ArrayConstructor ArrayIterator ArrayLike AsyncDisposable
  AsyncDisposableStackConstructor AsyncGenerator AsyncGeneratorFunction
  AsyncGeneratorFunctionConstructor AsyncIterable AsyncIterableIterator AsyncIterator
  AsyncIteratorObject Awaited BigInt64ArrayConstructor BigIntConstructor
  BigIntToLocaleStringOptions BigUint64ArrayConstructor BooleanConstructor BuiltinIteratorReturn
  CallableFunction Capitalize ClassAccessorDecoratorContext ClassAccessorDecoratorResult
  ClassAccessorDecoratorTarget ClassDecorator ClassDecoratorContext ClassFieldDecoratorContext
  ClassGetterDecoratorContext ClassMemberDecoratorContext ClassMethodDecoratorContext
  ClassSetterDecoratorContext ConcatArray ConstructorParameters CustomEventInit
  DataViewConstructor DateConstructor DecoratorContext DecoratorMetadata DecoratorMetadataObject
  Disposable DisposableStackConstructor ErrnoException ErrorConstructor ErrorOptions
  EvalErrorConstructor EventInit EventListener EventListenerObject EventListenerOptions
  EventSourceInit Exclude Extract FinalizationRegistryConstructor FlatArray
  Float16ArrayConstructor Float32ArrayConstructor Float64ArrayConstructor FunctionConstructor
  Generator GeneratorFunction GeneratorFunctionConstructor IArguments ImportAssertions
  ImportAttributes ImportCallOptions ImportMeta InstanceType Int16ArrayConstructor
  Int32ArrayConstructor Int8ArrayConstructor Iterable IterableIterator IteratorObject
  IteratorObjectConstructor IteratorResult IteratorReturnResult IteratorYieldResult Lowercase
  MapConstructor MapIterator MessageEventInit MethodDecorator NewableFunction NoInfer
  NonNullable NumberConstructor ObjectConstructor Omit OmitThisParameter ParameterDecorator
  Parameters Partial Pick PromiseConstructor PromiseConstructorLike PromiseFulfilledResult
  PromiseLike PromiseRejectedResult PromiseSettledResult PromiseWithResolvers PropertyDecorator
  PropertyDescriptor PropertyDescriptorMap PropertyKey ProxyConstructor ProxyHandler
  RangeErrorConstructor Readonly ReadonlyArray ReadonlyMap ReadonlySet ReadonlySetLike Record
  ReferenceErrorConstructor RegExpConstructor RegExpExecArray RegExpIndicesArray
  RegExpMatchArray RegExpStringIterator RequestInit Required ResponseInit ReturnType
  SetConstructor SetIterator SharedArrayBufferConstructor StringConstructor StringIterator
  SuppressedErrorConstructor SymbolConstructor SyntaxErrorConstructor TemplateStringsArray
  ThisParameterType ThisType TypeErrorConstructor TypedArray TypedPropertyDescriptor
  Uint16ArrayConstructor Uint32ArrayConstructor Uint8ArrayConstructor
  Uint8ClampedArrayConstructor Uncapitalize Uppercase WeakKey WeakKeyTypes WeakMapConstructor
  WeakRefConstructor WeakSetConstructor WebSocketInit`)
}

/** Model names that `prisma generate` 7.10 refuses. Measured: the documentation lists fewer. */
function prismaTypes(): readonly string[] {
  return wordsOf(
    'BigInt Boolean Bytes DateTime Decimal Float Int Json Prisma PrismaClient String Unsupported',
  )
}

/** Types that emitted files import or declare beside an entity's type, on any store kind. */
function emittedTypes(): readonly string[] {
  return wordsOf(`
  ApiDoc AppError Application Check Client ClientOptions Collection Config ConfigError Container Crud Db
  Dependencies ErrorRequestHandler Express Fault IncomingMessage LibSqlAdapter Listing Logger
  MongoClient NextFunction OpenApi Page Pool Records Repositories Repository RequestHandler Router Row Send
  Server ServerResponse Store Stored Subject TableOf TestStore ValueRange ZodError ZodType`)
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
