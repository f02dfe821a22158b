import { UserType } from '#schemas/dictionaries/administration'

/** Narrows a choice of people to those who may handle processes: candidates never do. */
export const staffOnly = { userType: UserType.staff } as const
