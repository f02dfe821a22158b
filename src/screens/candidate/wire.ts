/** A file that hangs on a notice. */
export interface HungFile {
  id: string
  attachId: string
  fileName: string
  /** Bytes. */
  fileSize: number
  ext: string
}

/** A page of a list. */
export interface Page<T> {
  records: T[]
  total: number
  current: number
  size: number
}

/** A notice; `content` is formatted text. */
export interface Notice {
  id: string
  title: string
  category: number | ''
  content?: string
  releaseTime: string
  isTop?: number
  needSure?: number
  read?: number
  sure?: number
  sureTime?: string
  files?: HungFile[]
}
