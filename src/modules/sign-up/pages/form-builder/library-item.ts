/** A field of the library. */
export interface LibraryItem {
  id: string
  itemCode: string
  itemName: string
  groupName: string
  inputType: number
  required: number
}
