//! Things by number, kept side by side: a new one is written where the last one was, not somewhere at random. Knows nothing of them.

use rustc_hash::FxHashMap;

/// Things at slots; a free slot is used again.
#[derive(Clone, Debug)]
pub(super) struct Slots<T> {
    slots: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slots<T> {
    pub(super) fn insert(&mut self, thing: T) -> u32 {
        if let Some(slot) = self.free.pop() {
            if let Some(place) = self.slots.get_mut(slot as usize) {
                *place = Some(thing);
            }
            return slot;
        }
        self.slots.push(Some(thing));
        u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn get(&self, slot: u32) -> Option<&T> {
        self.slots.get(slot as usize)?.as_ref()
    }

    fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    pub(super) fn remove(&mut self, slot: u32) -> Option<T> {
        let thing = self.slots.get_mut(slot as usize)?.take()?;
        self.free.push(slot);
        Some(thing)
    }
}

/// Things by number.
#[derive(Clone, Debug)]
pub(super) struct Table<T> {
    slots: Slots<T>,
    by_number: FxHashMap<u32, u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { slots: Slots::default(), by_number: FxHashMap::default() }
    }
}

impl<T> Table<T> {
    pub(super) fn len(&self) -> usize {
        self.by_number.len()
    }

    /// Adds a thing under a number that is not in use.
    pub(super) fn insert(&mut self, number: u32, thing: T) {
        self.by_number.insert(number, self.slots.insert(thing));
    }

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.slots.get(*self.by_number.get(&number)?)
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.slots.get_mut(*self.by_number.get(&number)?)
    }

    pub(super) fn remove(&mut self, number: u32) -> Option<T> {
        self.slots.remove(self.by_number.remove(&number)?)
    }

    /// All things, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.slots.iter().flatten()
    }
}
