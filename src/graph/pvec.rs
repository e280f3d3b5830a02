//! Persistent vectors: shared until written, so that a snapshot costs one reference and a write copies only the leaf it touches.
//!
//! Owns [`PVec`] (dense, by index) and [`Sparse`] (few of many indexes). Knows nothing of what is kept in them.

use std::fmt;
use std::sync::Arc;

/// Children of an inner node. A copied node touches the reference count of every child, so it is kept small.
const FAN: usize = 32;

/// An inner node.
struct Node<C>([Option<Arc<C>>; FAN]);

impl<C> Clone for Node<C> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<C> Default for Node<C> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| None))
    }
}

/// A leaf.
struct Leaf<T, const N: usize>([T; N]);

impl<T: Clone, const N: usize> Clone for Leaf<T, N> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Default, const N: usize> Default for Leaf<T, N> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| T::default()))
    }
}

type Inner<T, const N: usize> = Node<Node<Leaf<T, N>>>;

/// A vector in leaves of `N`. Clones share everything; writing copies one path.
///
/// # Complexity
/// Clone O(1). Read O(1): three steps above the leaf. Write O(1) where nothing is shared, else one leaf and two inner nodes
/// are copied, and one reference for every `1024 * N` elements.
pub(super) struct PVec<T, const N: usize> {
    len: usize,
    top: Arc<Vec<Arc<Inner<T, N>>>>,
}

impl<T, const N: usize> Clone for PVec<T, N> {
    fn clone(&self) -> Self {
        Self { len: self.len, top: Arc::clone(&self.top) }
    }
}

impl<T, const N: usize> Default for PVec<T, N> {
    fn default() -> Self {
        Self { len: 0, top: Arc::new(Vec::new()) }
    }
}

impl<T, const N: usize> fmt::Debug for PVec<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PVec").field("len", &self.len).finish_non_exhaustive()
    }
}

impl<T, const N: usize> PVec<T, N> {
    /// How many elements.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The element at `at`.
    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&T> {
        if at >= self.len {
            return None;
        }
        let leaf = at / N;
        let inner = self.top.get(leaf / (FAN * FAN))?;
        let low = inner.0.get(leaf / FAN % FAN)?.as_ref()?;
        low.0.get(leaf % FAN)?.as_ref()?.0.get(at % N)
    }

    /// All elements, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.leaves().flat_map(|leaf| leaf.iter()).take(self.len)
    }

    /// The leaves, in order; the last one may be filled up with defaults.
    fn leaves(&self) -> impl Iterator<Item = &[T; N]> {
        self.top.iter().flat_map(|inner| inner.0.iter().flatten()).flat_map(|low| low.0.iter().flatten()).map(|leaf| &leaf.0)
    }

    /// Bytes of the nodes and leaves, without what the elements own elsewhere.
    pub(super) fn bytes(&self) -> usize {
        let inner = self
            .top
            .iter()
            .map(|inner| size_of::<Inner<T, N>>() + inner.0.iter().flatten().count() * (size_of::<Node<Leaf<T, N>>>() + ARC));
        self.top.capacity() * size_of::<usize>() + inner.sum::<usize>() + self.leaves().count() * (size_of::<Leaf<T, N>>() + ARC)
    }
}

/// What an `Arc` adds to what it holds: two counts.
pub(super) const ARC: usize = 2 * size_of::<usize>();

impl<T: Clone + Default, const N: usize> PVec<T, N> {
    /// The element at `at`, to be written; `None` past the end.
    #[inline]
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        if at < self.len { self.slot(at) } else { None }
    }

    /// Adds an element.
    pub(super) fn push(&mut self, value: T) {
        let at = self.len;
        self.len += 1;
        if let Some(slot) = self.slot(at) {
            *slot = value;
        }
    }

    /// The element at `at`, to be written; grows with defaults where it lies past the end.
    pub(super) fn grown(&mut self, at: usize) -> Option<&mut T> {
        self.len = self.len.max(at + 1);
        self.slot(at)
    }

    fn slot(&mut self, at: usize) -> Option<&mut T> {
        let leaf = at / N;
        let root = leaf / (FAN * FAN);
        let top = Arc::make_mut(&mut self.top);
        while top.len() <= root {
            top.push(Arc::default());
        }
        let inner = Arc::make_mut(top.get_mut(root)?);
        let low = Arc::make_mut(inner.0.get_mut(leaf / FAN % FAN)?.get_or_insert_default());
        let leaf = Arc::make_mut(low.0.get_mut(leaf % FAN)?.get_or_insert_default());
        leaf.0.get_mut(at % N)
    }
}

/// How many indexes share one chunk of a [`Sparse`].
const CHUNK: usize = 256;

/// The entries of a chunk, by index within it.
type Chunk<V> = Vec<(u8, V)>;

/// Values for few of many indexes.
///
/// # Complexity
/// Clone O(1). Read and write O(log 256), a write copies one chunk where it is shared. An index without a value costs 1/32 byte.
pub(super) struct Sparse<V> {
    len: usize,
    chunks: PVec<Option<Arc<Chunk<V>>>, 32>,
}

impl<V> Clone for Sparse<V> {
    fn clone(&self) -> Self {
        Self { len: self.len, chunks: self.chunks.clone() }
    }
}

impl<V> Default for Sparse<V> {
    fn default() -> Self {
        Self { len: 0, chunks: PVec::default() }
    }
}

impl<V> fmt::Debug for Sparse<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sparse").field("len", &self.len).finish_non_exhaustive()
    }
}

impl<V> Sparse<V> {
    /// How many values.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The value at `at`.
    pub(super) fn get(&self, at: u32) -> Option<&V> {
        let (chunk, low) = place(at);
        let chunk = self.chunks.get(chunk)?.as_ref()?;
        let found = chunk.binary_search_by_key(&low, |(low, _)| *low).ok()?;
        chunk.get(found).map(|(_, value)| value)
    }

    /// All values with their indexes, in index order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &V)> {
        self.chunks.iter().enumerate().filter_map(|(at, chunk)| chunk.as_ref().map(|chunk| (at, chunk))).flat_map(|(at, chunk)| {
            let base = u32::try_from(at * CHUNK).unwrap_or(u32::MAX);
            chunk.iter().map(move |(low, value)| (base + u32::from(*low), value))
        })
    }

    /// Bytes of the chunks, without what the values own elsewhere.
    pub(super) fn bytes(&self) -> usize {
        let chunks = self.chunks.iter().flatten().map(|chunk| ARC + size_of::<Chunk<V>>() + chunk.capacity() * size_of::<(u8, V)>());
        self.chunks.bytes() + chunks.sum::<usize>()
    }
}

impl<V: Clone> Sparse<V> {
    /// Sets the value at `at`.
    pub(super) fn set(&mut self, at: u32, value: V) {
        let (chunk, low) = place(at);
        let Some(chunk) = self.chunks.grown(chunk) else { return };
        let chunk = Arc::make_mut(chunk.get_or_insert_default());
        match chunk.binary_search_by_key(&low, |(low, _)| *low) {
            Ok(found) => {
                if let Some(entry) = chunk.get_mut(found) {
                    entry.1 = value;
                }
            }
            Err(gap) => {
                chunk.insert(gap, (low, value));
                self.len += 1;
            }
        }
    }

    /// Removes the value at `at`.
    pub(super) fn remove(&mut self, at: u32) -> Option<V> {
        let (place, low) = place(at);
        // Looking first keeps a shared chunk shared where there is nothing to remove.
        let found = self.chunks.get(place)?.as_ref()?.binary_search_by_key(&low, |(low, _)| *low).ok()?;
        let slot = self.chunks.get_mut(place)?;
        let chunk = Arc::make_mut(slot.as_mut()?);
        let (_, value) = chunk.remove(found);
        if chunk.is_empty() {
            *slot = None;
        }
        self.len -= 1;
        Some(value)
    }
}

/// The chunk of an index, and its place in it.
fn place(at: u32) -> (usize, u8) {
    let [low, ..] = at.to_le_bytes();
    (at as usize / CHUNK, low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_clone_is_not_moved_by_later_writes() {
        let mut vector: PVec<u32, 4> = PVec::default();
        for value in 0..20_000 {
            vector.push(value);
        }
        let before = vector.clone();
        for at in (0..20_000).step_by(7) {
            *vector.get_mut(at).unwrap() = 0;
        }
        vector.push(1);
        assert_eq!(before.iter().copied().collect::<Vec<_>>(), (0..20_000).collect::<Vec<_>>());
        assert_eq!(before.get(20_000), None);
        assert_eq!(vector.get(14), Some(&0));
        assert_eq!(vector.get(15), Some(&15));
        assert_eq!(vector.len(), 20_001);
    }

    #[test]
    fn past_the_end_is_nothing() {
        let mut vector: PVec<u32, 4> = PVec::default();
        assert_eq!(vector.get(0), None);
        assert!(vector.get_mut(0).is_none());
        *vector.grown(5000).unwrap() = 7;
        assert_eq!(vector.len(), 5001);
        assert_eq!(vector.get(5000), Some(&7));
        assert_eq!(vector.get(4999), None, "a hole has no leaf");
    }

    proptest! {
        #[test]
        fn sparse_is_a_map(steps in proptest::collection::vec((0_u32..2000, proptest::option::of(0_u32..9)), 0..400)) {
            let mut model = std::collections::BTreeMap::new();
            let mut sparse = Sparse::default();
            let mut held = Vec::new();
            for (at, value) in steps {
                if let Some(value) = value {
                    sparse.set(at, value);
                    model.insert(at, value);
                } else {
                    prop_assert_eq!(sparse.remove(at), model.remove(&at));
                }
                if at % 50 == 0 {
                    held.push((sparse.clone(), model.clone()));
                }
            }
            held.push((sparse, model));
            for (sparse, model) in held {
                prop_assert_eq!(sparse.len(), model.len());
                prop_assert_eq!(sparse.iter().map(|(at, value)| (at, *value)).collect::<Vec<_>>(), model.into_iter().collect::<Vec<_>>());
            }
        }
    }
}
