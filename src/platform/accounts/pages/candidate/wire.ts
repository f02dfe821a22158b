/** What a person sees of himself; phone and ID number masked. */
export interface Profile {
  account: string
  name: string
  realName: string
  phone: string
  email: string
  idCard: string
  sex: number | ''
  birthday: string
  avatar: string
}
