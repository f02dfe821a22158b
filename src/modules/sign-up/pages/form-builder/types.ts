/** A field of an exam's form as the builder sees it. */
export interface FormItem {
  id: string
  itemCode: string
  itemName: string
  groupName: string
  inputType: number
  dictCode: string
  required: number
  enable: number
  sort: number
  span: number | ''
  applyTypes: string
  showWhen: Record<string, string[]> | ''
  rules: Record<string, unknown> | ''
  columns: { itemCode: string; itemName: string; inputType: number }[] | ''
}

/** A file an exam asks for. */
export interface FormFile {
  id: string
  fileCode: string
  fileName: string
  fileDesc: string
  required: number
  maxNum: number
  maxSize: number
  exts: string
  isPhoto: number
  showWhen: Record<string, string[]> | ''
  enable: number
}

/** Everything the builder shows. */
export interface FormInfo {
  exam: { id: string; examName: string; examStatus: number }
  items: FormItem[]
  files: FormFile[]
  dicts: Record<string, { key: string; value: string }[]>
}

/** A field of the library. */
export interface LibraryItem {
  id: string
  itemCode: string
  itemName: string
  groupName: string
  inputType: number
  required: number
}
