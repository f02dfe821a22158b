declare module 's3rver' {
  import type { RequestListener } from 'node:http'

  /** A server that speaks S3, over a folder; its only key is `S3RVER`. It does not look at signatures of version 4. */
  export default class S3rver {
    constructor(options: { directory: string; silent?: boolean; configureBuckets?: readonly { name: string }[] })
    configureBuckets(): Promise<unknown>
    callback(): RequestListener
  }
}
